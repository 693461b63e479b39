// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver;

import io.longhaul.protocol.transport.Share;
import java.time.Duration;
import java.util.function.Supplier;

/** Limits how often each caller may send messages, calls and polls. Thread-safe, and never blocks. */
@FunctionalInterface
public interface RateGate {

    /** Every caller may ask as often as it wants. */
    RateGate OPEN = (caller, kind) -> Duration.ZERO;

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

    /**
     * Counts one request of the caller and gives zero; or counts nothing and gives the time to wait.
     *
     * @param caller is asked for only where this kind is limited
     */
    Duration wait(Supplier<Share> caller, Kind kind);
}
