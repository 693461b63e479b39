// SPDX-License-Identifier: Apache-2.0
/**
 * One request and its response over one connection, and how the exchange ended. The package does not decide whether a
 * request is sent again, and knows no session to renew.
 */
@NullMarked
package io.longhaul.requestor.exchange;

import org.jspecify.annotations.NullMarked;
