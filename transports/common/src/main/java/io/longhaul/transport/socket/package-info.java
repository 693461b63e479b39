// SPDX-License-Identifier: Apache-2.0
/**
 * The local socket of a server: its place, who may connect, and what a server and a relay tell each other beside the
 * messages of MCP. The package does not know what messages are sent over the socket.
 */
@NullMarked
package io.longhaul.transport.socket;

import org.jspecify.annotations.NullMarked;
