// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.fetch;

import java.io.IOException;

/** The client sends no request to an address. The message is one sentence for the user. */
final class UnusableAddressException extends IOException {

    private static final long serialVersionUID = 1L;

    UnusableAddressException(String message) {
        super(message);
    }
}
