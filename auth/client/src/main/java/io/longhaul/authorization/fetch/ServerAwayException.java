// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.fetch;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A server that is needed for an authorization is away for now. The message is one sentence for the user. */
public final class ServerAwayException extends IOException {

    private static final long serialVersionUID = 1L;

    public ServerAwayException(String message) {
        this(message, null);
    }

    ServerAwayException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
