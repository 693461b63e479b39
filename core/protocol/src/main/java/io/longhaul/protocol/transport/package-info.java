// SPDX-License-Identifier: Apache-2.0
/**
 * The interfaces between transports and peers. At a server, messages come in through an endpoint and answers go out
 * through an exchange. A client sends messages and reads replies.
 */
@NullMarked
package io.longhaul.protocol.transport;

import org.jspecify.annotations.NullMarked;
