// SPDX-License-Identifier: Apache-2.0
/**
 * OAuth of a client of MCP servers: finds the authorization server, registers, logs in, keeps and renews tokens.
 * Addresses that a server names are fetched under the rules of {@link io.longhaul.authorization.NamedAddresses}. The
 * package authorizes single HTTP requests, and knows neither their session nor their call.
 */
@NullMarked
package io.longhaul.authorization;

import org.jspecify.annotations.NullMarked;
