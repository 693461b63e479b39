// SPDX-License-Identifier: Apache-2.0
/**
 * MCP servers as OAuth 2.1 resource servers: {@code TokenCheck} makes principals with scopes of access tokens and API
 * keys, and {@code ResourceServer} tells clients where to get a token. The package does not know which tool or task a
 * scope opens.
 */
@NullMarked
package io.longhaul.oauth;

import org.jspecify.annotations.NullMarked;
