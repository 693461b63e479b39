// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.exchange;

import java.io.IOException;

/** Thrown for a request that cannot have reached the API; the message is for the log. */
public final class NotSentException extends IOException {

    private static final long serialVersionUID = 1L;

    NotSentException(String message, Throwable cause) {
        super(message, cause);
    }
}
