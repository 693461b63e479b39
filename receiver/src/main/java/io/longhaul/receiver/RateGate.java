// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver;

import io.longhaul.protocol.transport.Share;
import java.time.Duration;

/** Says how often each caller may ask. Thread-safe, and never blocks. */
public interface RateGate {

    /** Every caller may ask as often as it wants. */
    RateGate OPEN = new RateGate() {
        @Override
        public boolean limits(Kind kind) {
            return false;
        }

        @Override
        public Duration wait(Share caller, Kind kind) {
            return Duration.ZERO;
        }
    };

    /** What is counted. */
    enum Kind {
        MESSAGE("messages"),
        CREATION("calls of long-running tools"),
        POLL("looks at tasks"),
        LISTING("lists");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        /** What a caller sent too much of, for the caller. */
        public String words() {
            return words;
        }
    }

    /** Whether anything of this kind is limited; where it is not, nobody is asked. */
    boolean limits(Kind kind);

    /** Counts one for the caller and lets it go on: zero; or how long the caller has to wait, and counts nothing. */
    Duration wait(Share caller, Kind kind);
}
