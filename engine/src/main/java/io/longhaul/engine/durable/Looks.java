// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

/** Where those who wait for what other nodes do say so: the next look at the store comes soon then. Thread-safe. */
final class Looks {

    private volatile Runnable soon = () -> {};

    /** @param action must not block */
    void onSoon(Runnable action) {
        soon = action;
    }

    void soon() {
        soon.run();
    }
}
