// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.link;

import io.longhaul.gateway.limit.CallFigures;

/**
 * How an upstream is at one moment.
 *
 * @param version that the upstream says, or empty while it is not connected
 * @param why     it is not there, in words for an operator, or empty
 * @param waiting how many calls wait for their turn
 */
public record LinkState(Standing standing, String version, String why, int waiting, CallFigures.Reading figures) {

    /** Whether an upstream can be called. */
    public enum Standing {
        /** It has answered. */
        UP,
        /** It was not asked to the end yet. */
        STARTING,
        /** It was asked, and says nothing. */
        SILENT,
        /** It cannot be reached. */
        AWAY,
        /** It refuses the gateway, or says what cannot be used. */
        REFUSED,
        /** It was ended because it was not used, and the next call starts it. */
        IDLE,
        /** It answers no calls, and is not called for a while. */
        PAUSED
    }
}
