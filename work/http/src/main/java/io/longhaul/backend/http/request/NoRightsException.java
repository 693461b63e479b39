// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.request;

import java.io.IOException;

/** A request has no authorization, and was not sent; with a sentence for the caller. */
public final class NoRightsException extends IOException {

    private static final long serialVersionUID = 1L;

    private final boolean isPassing;

    /** @param isPassing whether the same request may have one a little later */
    public NoRightsException(String message, boolean isPassing) {
        super(message);
        this.isPassing = isPassing;
    }

    public boolean isPassing() {
        return isPassing;
    }
}
