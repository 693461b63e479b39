// SPDX-License-Identifier: Apache-2.0
/**
 * The HTTP server of MCP, over HTTP/1.1: connections, TLS, heads and bodies under limits. The package does not know
 * what a request asks for: the flow of Streamable HTTP is in the common transport.
 */
@NullMarked
package io.longhaul.transport.http;

import org.jspecify.annotations.NullMarked;
