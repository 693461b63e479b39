// SPDX-License-Identifier: Apache-2.0
/**
 * Serves what other MCP servers of any generation offer to clients of any generation, and keeps calls of their long
 * tools. Begin at {@link io.longhaul.gateway.Gateway}: a {@code Link} looks after one server, {@code ServedFeatures}
 * serves what it lists, {@code LongTool} is the backend of a long tool, and {@code RunHandles} keeps its call in its
 * task. The packages do not know how a call is sent or followed: that is the client's matter.
 */
@NullMarked
package io.longhaul.gateway;

import org.jspecify.annotations.NullMarked;
