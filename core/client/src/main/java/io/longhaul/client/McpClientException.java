// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import org.jspecify.annotations.Nullable;

/** A failure between a client and its server. The message is one sentence for the user that says what to do. */
public abstract sealed class McpClientException extends RuntimeException
        permits ServerUnreachableException,
                UnsupportedByServerException,
                RefusedException,
                UnusableAnswerException,
                CallFailedException {

    private static final long serialVersionUID = 1L;

    McpClientException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
