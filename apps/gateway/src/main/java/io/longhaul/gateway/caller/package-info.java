// SPDX-License-Identifier: Apache-2.0
/**
 * Calls in the name of their callers: headers and tokens of each caller, and a client of the upstream for each. The
 * package does not know how an upstream is reached, nor what is called.
 */
@NullMarked
package io.longhaul.gateway.caller;

import org.jspecify.annotations.NullMarked;
