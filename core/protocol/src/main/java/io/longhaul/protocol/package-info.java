// SPDX-License-Identifier: Apache-2.0
/**
 * JSON-RPC, the messages of MCP, and the interfaces of a transport. The package opens no sockets, starts no threads and
 * reads no clock: callers pass the time in, and waits are returned as values.
 */
@NullMarked
package io.longhaul.protocol;

import org.jspecify.annotations.NullMarked;
