package io.longhaul.engine.durable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Threads that wait for one task to change. Costs nothing while nobody waits. A waiter registers first and looks at the
 * task then, so that no change falls between.
 */
final class Watchers {

    private volatile @Nullable Set<Waiter> waiting;

    /** One thread's wait. */
    static final class Waiter {
        private final CountDownLatch woken = new CountDownLatch(1);

        void wake() {
            woken.countDown();
        }

        void await() throws InterruptedException {
            woken.await();
        }
    }

    Waiter register() {
        var waiter = new Waiter();
        synchronized (this) {
            Set<Waiter> all = waiting;
            if (all == null) {
                all = new HashSet<>(2);
                waiting = all;
            }
            all.add(waiter);
        }
        return waiter;
    }

    void unregister(Waiter waiter) {
        synchronized (this) {
            Set<Waiter> all = waiting;
            if (all != null && all.remove(waiter) && all.isEmpty()) {
                waiting = null;
            }
        }
    }

    void wakeAll() {
        if (waiting == null) {
            return;
        }
        List<Waiter> all;
        synchronized (this) {
            Set<Waiter> set = waiting;
            all = set == null ? List.of() : new ArrayList<>(set);
            waiting = null;
        }
        all.forEach(Waiter::wake);
    }
}
