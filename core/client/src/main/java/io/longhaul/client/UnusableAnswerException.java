// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import org.jspecify.annotations.Nullable;

/** The server sent an answer that the protocol does not allow, or that exceeds a limit. */
public final class UnusableAnswerException extends McpClientException {

    private static final long serialVersionUID = 1L;

    public UnusableAnswerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
