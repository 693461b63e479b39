// SPDX-License-Identifier: Apache-2.0
/**
 * MCP servers as OAuth 2.1 resource servers: checks access tokens and API keys, makes principals and scopes of them,
 * and tells clients where to get a token. The package does not know which tool or task a scope opens.
 */
@NullMarked
package io.longhaul.oauth;

import org.jspecify.annotations.NullMarked;
