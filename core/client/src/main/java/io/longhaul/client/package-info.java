// SPDX-License-Identifier: Apache-2.0
/**
 * The API for programs that call MCP servers of any generation: calls that outlive the connection, the server and the
 * program, and all that a server offers besides tools. The package knows no engine, and no generation but by its name.
 */
@NullMarked
package io.longhaul.client;

import org.jspecify.annotations.NullMarked;
