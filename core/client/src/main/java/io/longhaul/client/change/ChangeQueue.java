// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.change;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a listener what has changed, one thing after the other, on a thread of its own, because the listener may ask
 * the server. A thing that changes again before the listener is told is told once. Thread-safe.
 */
final class ChangeQueue<T> {

    private static final Logger log = LoggerFactory.getLogger(ChangeQueue.class);

    private final Consumer<T> listener;
    private final Set<T> pending = new LinkedHashSet<>();
    private boolean telling;

    ChangeQueue(Consumer<T> listener) {
        this.listener = listener;
    }

    synchronized void tell(T what) {
        pending.add(what);
        if (!telling) {
            telling = true;
            Thread.ofVirtual().name("longhaul-client-change").start(this::run);
        }
    }

    private void run() {
        for (var what = next(); what != null; what = next()) {
            try {
                listener.accept(what);
            } catch (RuntimeException e) {
                log.warn("a listener to changes of the server failed", e);
            }
        }
    }

    private synchronized @Nullable T next() {
        var iterator = pending.iterator();
        telling = iterator.hasNext();
        if (!telling) {
            return null;
        }
        var what = iterator.next();
        iterator.remove();
        return what;
    }
}
