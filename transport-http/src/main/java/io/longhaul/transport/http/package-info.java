/**
 * The HTTP server of MCP, on Helidon WebServer.
 */
@NullMarked
package io.longhaul.transport.http;

import org.jspecify.annotations.NullMarked;
