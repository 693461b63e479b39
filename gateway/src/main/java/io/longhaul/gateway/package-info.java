// SPDX-License-Identifier: Apache-2.0
/**
 * Serves what other MCP servers offer, of any generation, to clients of any generation, and keeps calls of their long
 * tools: {@link io.longhaul.gateway.Gateway} is where it begins.
 */
@NullMarked
package io.longhaul.gateway;

import org.jspecify.annotations.NullMarked;
