// SPDX-License-Identifier: Apache-2.0
/** JSON-RPC 2.0 messages and a strict codec for them. */
@NullMarked
package io.longhaul.protocol.rpc;

import org.jspecify.annotations.NullMarked;
