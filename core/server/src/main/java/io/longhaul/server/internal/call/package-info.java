// SPDX-License-Identifier: Apache-2.0
/**
 * The contexts of running handlers: what handlers ask, report and call, behind the interceptors of their server. The
 * package does not know how a tool, a resource or a prompt is defined.
 */
@NullMarked
package io.longhaul.server.internal.call;

import org.jspecify.annotations.NullMarked;
