// SPDX-License-Identifier: Apache-2.0
/**
 * The interfaces between transports and peers: at a server, messages come in through an endpoint and answers go out
 * through an exchange; a client sends messages and reads replies. They know no implementation, no method and no
 * generation.
 */
@NullMarked
package io.longhaul.protocol.transport;

import org.jspecify.annotations.NullMarked;
