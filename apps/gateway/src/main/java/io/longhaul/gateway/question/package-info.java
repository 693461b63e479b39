// SPDX-License-Identifier: Apache-2.0
/**
 * Questions of upstreams, for the caller of a quick call or the requestor of a task. The package knows no connection to
 * an upstream: it takes a question, and gives the answer or the reason why there is none.
 */
@NullMarked
package io.longhaul.gateway.question;

import org.jspecify.annotations.NullMarked;
