/** The seam between transports and peers: bytes come in through an endpoint, answers go out through an exchange. */
@NullMarked
package io.longhaul.protocol.transport;

import org.jspecify.annotations.NullMarked;
