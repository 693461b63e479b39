// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

/** An upstream is away now; one sentence for a caller. */
final class AwayException extends Exception {

    private static final long serialVersionUID = 1L;

    AwayException(Upstream upstream) {
        super("The server '" + upstream.name() + "' behind this gateway is out of reach. Try again later.");
    }
}
