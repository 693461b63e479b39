// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

/** Requests an early look at the store, for components that wait for changes by other nodes. Thread-safe. */
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
