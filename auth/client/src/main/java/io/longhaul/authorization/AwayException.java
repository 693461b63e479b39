// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A server that is needed for an authorization is away for now. The message is one sentence for the user. */
final class AwayException extends IOException {

    private static final long serialVersionUID = 1L;

    AwayException(String message) {
        this(message, null);
    }

    AwayException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
