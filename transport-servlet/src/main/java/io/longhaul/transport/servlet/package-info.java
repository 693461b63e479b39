/**
 * MCP over Streamable HTTP in a servlet container.
 */
@NullMarked
package io.longhaul.transport.servlet;

import org.jspecify.annotations.NullMarked;
