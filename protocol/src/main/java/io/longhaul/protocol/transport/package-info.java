// SPDX-License-Identifier: Apache-2.0
/**
 * The seam between transports and peers. At a server, bytes come in through an endpoint and answers go out through an
 * exchange; a client sends messages and reads replies.
 */
@NullMarked
package io.longhaul.protocol.transport;

import org.jspecify.annotations.NullMarked;
