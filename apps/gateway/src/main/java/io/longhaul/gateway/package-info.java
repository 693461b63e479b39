// SPDX-License-Identifier: Apache-2.0
/**
 * Serves what other MCP servers of any generation offer to clients of any generation, and keeps calls of their long
 * tools. Begin at {@link io.longhaul.gateway.Gateway}.
 */
@NullMarked
package io.longhaul.gateway;

import org.jspecify.annotations.NullMarked;
