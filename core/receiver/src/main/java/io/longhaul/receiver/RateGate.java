// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver;

import io.longhaul.protocol.transport.Share;
import java.time.Duration;

/** Limits how often each caller may send messages, calls and polls. Thread-safe, and never blocks. */
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

    /** The counted kinds. */
    enum Kind {
        MESSAGE("messages"),
        CREATION("calls of long-running tools"),
        POLL("looks at tasks"),
        LISTING("lists");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        /** The name of this kind in the refusal that the caller reads. */
        public String words() {
            return words;
        }
    }

    /** Whether this kind is limited at all. Where it is not, {@code wait} is not called. */
    boolean limits(Kind kind);

    /** Counts one request of the caller and gives zero; or counts nothing and gives the time to wait. */
    Duration wait(Share caller, Kind kind);
}
