// SPDX-License-Identifier: Apache-2.0
/**
 * MCP servers as OAuth 2.1 resource servers: access tokens and API keys are checked, principals and scopes made of
 * them, and clients told where to get a token.
 */
@NullMarked
package io.longhaul.oauth;

import org.jspecify.annotations.NullMarked;
