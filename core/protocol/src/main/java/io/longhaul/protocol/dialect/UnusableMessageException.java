// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

/** The other side sent a message that its generation does not allow. The message is one sentence for the user. */
public final class UnusableMessageException extends Exception {

    private static final long serialVersionUID = 1L;

    public UnusableMessageException(String message) {
        super(message);
    }
}
