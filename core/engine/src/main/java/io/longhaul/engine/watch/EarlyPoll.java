// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.watch;

/** Requests an early look at the store, for components that wait for changes by other nodes. Thread-safe. */
public final class EarlyPoll {

    private volatile Runnable soon = () -> {};

    /** @param action must not block */
    public void onSoon(Runnable action) {
        soon = action;
    }

    public void soon() {
        soon.run();
    }
}
