// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import io.longhaul.transport.streamable.request.HttpRefusal;

/** A malformed HTTP/1.1 request, after which the start of the next request is unknown. */
final class Malformed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;

    /** @param message one sentence for the client and the log, without any part of the request */
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
