// SPDX-License-Identifier: Apache-2.0
/** One request and its response over one connection, and how the exchange ended. */
@NullMarked
package io.longhaul.requestor.exchange;

import org.jspecify.annotations.NullMarked;
