// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.command;

/**
 * Thrown for an argument of a call that no command line can contain; the message is one or two sentences for the
 * caller.
 */
public final class BadArgumentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    BadArgumentException(String message) {
        super(message);
    }
}
