// SPDX-License-Identifier: Apache-2.0
/**
 * One request on its way through the receiver, and its way back. The package does not know how a call is answered, nor
 * what a task tells its requestor.
 */
@NullMarked
package io.longhaul.receiver.request;

import org.jspecify.annotations.NullMarked;
