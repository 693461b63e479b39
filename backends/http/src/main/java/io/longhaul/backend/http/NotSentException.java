// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import java.io.IOException;

/** A request that cannot have reached the other side; the message is for the log. */
final class NotSentException extends IOException {

    private static final long serialVersionUID = 1L;

    NotSentException(String message, Throwable cause) {
        super(message, cause);
    }
}
