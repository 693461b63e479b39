// SPDX-License-Identifier: Apache-2.0
/** One request on its way through the receiver, and its way back. */
@NullMarked
package io.longhaul.receiver.request;

import org.jspecify.annotations.NullMarked;
