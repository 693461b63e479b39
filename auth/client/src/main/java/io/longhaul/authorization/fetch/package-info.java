// SPDX-License-Identifier: Apache-2.0
/**
 * HTTP requests to addresses that a server names: which of them are allowed, and their limits of size and time. The
 * package does not know what is requested, nor any OAuth.
 */
@NullMarked
package io.longhaul.authorization.fetch;

import org.jspecify.annotations.NullMarked;
