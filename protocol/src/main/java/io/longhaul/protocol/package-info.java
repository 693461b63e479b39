// SPDX-License-Identifier: Apache-2.0
/**
 * JSON-RPC, the messages of MCP, and what a transport must offer. It opens no sockets, starts no threads and reads
 * no clock: time comes in as a value, and waiting goes out as one.
 */
@NullMarked
package io.longhaul.protocol;

import org.jspecify.annotations.NullMarked;
