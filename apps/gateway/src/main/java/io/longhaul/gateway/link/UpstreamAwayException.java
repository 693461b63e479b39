// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.link;

/** An upstream is away now; one sentence for a caller. */
public final class UpstreamAwayException extends Exception {

    private static final long serialVersionUID = 1L;

    public UpstreamAwayException(UpstreamServer upstream) {
        this("The server '" + upstream.name() + "' behind this gateway is out of reach. Try again later.");
    }

    /** @param sentence for the caller */
    public UpstreamAwayException(String sentence) {
        super(sentence);
    }
}
