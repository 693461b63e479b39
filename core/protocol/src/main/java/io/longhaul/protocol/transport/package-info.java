// SPDX-License-Identifier: Apache-2.0
/**
 * The server's side of a transport: messages come in through an endpoint, responses go out through an exchange, and
 * each message has a principal. The package knows no implementation, no method and no generation.
 */
@NullMarked
package io.longhaul.protocol.transport;

import org.jspecify.annotations.NullMarked;
