// SPDX-License-Identifier: Apache-2.0
/**
 * Transports over stdio, a local socket and HTTP as a client, and what an HTTP server serves beside MCP. The package
 * carries messages, and knows neither the engine nor what a message says.
 */
@NullMarked
package io.longhaul.transport;

import org.jspecify.annotations.NullMarked;
