// SPDX-License-Identifier: Apache-2.0
/**
 * Calls to a server, which are sent again where that is safe: {@code NextStep} decides what follows the end of an
 * exchange. The package does not know how a task is followed.
 */
@NullMarked
package io.longhaul.requestor.call;

import org.jspecify.annotations.NullMarked;
