// SPDX-License-Identifier: Apache-2.0
/**
 * The API for people who write MCP servers: tools are plain blocking Java, and each call of a long-running tool is a
 * durable task.
 */
@NullMarked
package io.longhaul.server;

import org.jspecify.annotations.NullMarked;
