// SPDX-License-Identifier: Apache-2.0
/** JSON-RPC 2.0 messages and a strict codec for them. The package knows no method of MCP and no generation. */
@NullMarked
package io.longhaul.protocol.rpc;

import org.jspecify.annotations.NullMarked;
