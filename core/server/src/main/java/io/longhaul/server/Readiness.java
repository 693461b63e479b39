// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.util.List;

/** Whether a server can take work at this moment. */
public sealed interface Readiness {

    /** The server runs, and its store has accepted a write. */
    record Ready() implements Readiness {}

    /**
     * The server cannot take work.
     *
     * @param reasons why, each in a few words for operators; at least one
     */
    record NotReady(List<String> reasons) implements Readiness {
        public NotReady {
            reasons = List.copyOf(reasons);
        }
    }
}
