// SPDX-License-Identifier: Apache-2.0
/**
 * MCP over Streamable HTTP in a servlet container.
 */
@NullMarked
package io.longhaul.transport.servlet;

import org.jspecify.annotations.NullMarked;
