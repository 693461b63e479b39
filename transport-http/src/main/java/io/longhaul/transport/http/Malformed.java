// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import io.longhaul.transport.streamable.HttpRefusal;

/** Bytes that are no request of HTTP/1.1. Where the next request begins is not known after them. */
final class Malformed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;

    /** @param message one sentence for the client and the log, without a word of what was sent */
    Malformed(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    /** A request that breaks the grammar. */
    static Malformed because(String message) {
        return new Malformed(400, message);
    }

    HttpRefusal refusal() {
        return new HttpRefusal(status, String.valueOf(getMessage()));
    }
}
