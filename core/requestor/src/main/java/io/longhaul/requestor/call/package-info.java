// SPDX-License-Identifier: Apache-2.0
/** Calls to a server, which are sent again where that is safe. */
@NullMarked
package io.longhaul.requestor.call;

import org.jspecify.annotations.NullMarked;
