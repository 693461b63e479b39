// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

/** The other side of a stream has left. */
public final class PeerGoneException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public PeerGoneException(String message) {
        super(message, null, false, false);
    }
}
