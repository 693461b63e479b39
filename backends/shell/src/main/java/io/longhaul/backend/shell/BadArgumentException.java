// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

/** An argument of a call that no command line can take; the message is one sentence or two for the caller. */
final class BadArgumentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    BadArgumentException(String message) {
        super(message);
    }
}
