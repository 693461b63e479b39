// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

/** The generation that the server speaks lacks the operation that the host asked for. */
public final class UnsupportedByServerException extends McpClientException {

    private static final long serialVersionUID = 1L;

    public UnsupportedByServerException(String message) {
        super(message, null);
    }
}
