// SPDX-License-Identifier: Apache-2.0
/** The API for programs that call MCP servers of any generation. */
@NullMarked
package io.longhaul.client;

import org.jspecify.annotations.NullMarked;
