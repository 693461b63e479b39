// SPDX-License-Identifier: Apache-2.0
/**
 * The client's side of a transport: a client sends messages, reads what the server sends, and authorizes requests. The
 * package knows no implementation, no method and no generation.
 */
@NullMarked
package io.longhaul.protocol.transport.client;

import org.jspecify.annotations.NullMarked;
