// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.request;

/** Thrown for an argument that gives no valid request; the message is for the caller. */
public final class RefusedValueException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public RefusedValueException(String message) {
        super(message, null, false, false);
    }
}
