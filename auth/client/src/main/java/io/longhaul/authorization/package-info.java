// SPDX-License-Identifier: Apache-2.0
/**
 * OAuth of a client of MCP servers: {@code OAuth} has the settings, {@code OAuthAuthorizer} keeps and renews the tokens
 * for one server, and the packages below get them. The package authorizes single HTTP requests, and knows neither their
 * session nor their call.
 */
@NullMarked
package io.longhaul.authorization;

import org.jspecify.annotations.NullMarked;
