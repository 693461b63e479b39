// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.run;

/** A scenario cannot be measured here. The message is the reason. */
public final class Unavailable extends Exception {

    private static final long serialVersionUID = 1;

    /** @param reason a clause for people */
    public Unavailable(String reason) {
        super(reason);
    }
}
