// SPDX-License-Identifier: Apache-2.0
/**
 * The API for people who write MCP servers: tools are plain blocking Java, and each call of a long-running tool is a
 * durable task. The package holds what users see: only {@link McpServerBuilder}, its server and the definitions use
 * what works behind them, and no type knows the generation of a caller or the database of a store.
 */
@NullMarked
package io.longhaul.server;

import org.jspecify.annotations.NullMarked;
