// SPDX-License-Identifier: Apache-2.0
/**
 * The API for people who write MCP servers: tools are plain blocking Java, and each call of a long-running tool is a
 * durable task. The classes that assemble tools, resources and prompts are here too, since they read members that users
 * do not see; none of them knows the generation of a caller or the database of a store.
 */
@NullMarked
package io.longhaul.server;

import org.jspecify.annotations.NullMarked;
