// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.request;

import java.io.IOException;

/** Thrown for a secret that cannot be used; the message is for the operator. */
public final class SecretException extends IOException {

    private static final long serialVersionUID = 1L;

    SecretException(String message, IOException cause) {
        super(message + ": " + cause.getMessage(), cause);
    }
}
