// SPDX-License-Identifier: Apache-2.0
/**
 * Parts of a running server beside its calls: tasks for the application, readiness, rates of callers, an engine without
 * tasks. The package does not know how a tool is made or called.
 */
@NullMarked
package io.longhaul.server.internal.serving;

import org.jspecify.annotations.NullMarked;
