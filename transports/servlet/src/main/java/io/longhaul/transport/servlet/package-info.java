// SPDX-License-Identifier: Apache-2.0
/**
 * MCP over Streamable HTTP in a servlet container: {@code McpServlet} reads and writes the bytes. The package knows no
 * single container, and not what a request asks for.
 */
@NullMarked
package io.longhaul.transport.servlet;

import org.jspecify.annotations.NullMarked;
