// SPDX-License-Identifier: Apache-2.0
/**
 * The HTTP server of MCP, over HTTP/1.1.
 */
@NullMarked
package io.longhaul.transport.http;

import org.jspecify.annotations.NullMarked;
