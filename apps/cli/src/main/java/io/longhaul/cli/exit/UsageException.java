// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.exit;

/** An invalid command line. The message is for the user and says what to do. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message, null, false, false);
    }
}
