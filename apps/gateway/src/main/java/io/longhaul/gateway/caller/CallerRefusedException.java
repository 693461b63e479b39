// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.caller;

/** An upstream is not called in the name of a caller; one sentence for the caller. */
public final class CallerRefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    /** @param upstream the name of the upstream */
    CallerRefusedException(String upstream, String reason) {
        super("The server '" + upstream + "' behind this gateway is called in the name of its callers, and " + reason);
    }
}
