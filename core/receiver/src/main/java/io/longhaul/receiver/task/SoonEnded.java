// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskWatcher;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Task;
import io.longhaul.receiver.request.EqualWaits;
import io.longhaul.receiver.request.InboundRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Waits a few milliseconds for tasks that end soon: the engine tells the request's thread directly. Thread-safe. */
public final class SoonEnded {

    /** How long a request for an outcome stays without a stream: a task that ends by then is answered without one. */
    public static final Duration SOON = Duration.ofMillis(20);

    private final TaskEngine engine;
    private final EqualWaits waits;

    public SoonEnded(TaskEngine engine) {
        this.engine = engine;
        waits = new EqualWaits(engine.time(), SOON);
    }

    /** Waits for the first change of a task, or for the end of the wait. */
    private static final class FirstChange implements TaskWatcher {
        private final CountDownLatch seen = new CountDownLatch(1);
        private volatile @Nullable Task changed;

        @Override
        public void changed(Task now, List<TaskEvent> events) {
            if (changed == null) {
                changed = now;
            }
            seen.countDown();
        }

        void none() {
            seen.countDown();
        }
    }

    /**
     * The task after its first change, or as it is where it does not change soon. Blocks no longer than {@link #SOON},
     * and no longer than until the request is given up.
     */
    public Task changed(InboundRequest request, Task task) throws Exception {
        var change = new FirstChange();
        var watched = engine.watch(request.owner(), task.id(), change);
        if (watched.isEmpty()) {
            return task;
        }
        var over = waits.begin(change::none);
        try {
            var now = watched.get().now();
            if (now.position().version() == task.position().version()) {
                request.live().interruptibly(() -> {
                    change.seen.await();
                    return task;
                });
            }
            var changed = change.changed;
            return changed == null ? now : changed;
        } catch (InterruptedException e) {
            return task;
        } finally {
            over.cancel();
            watched.get().stop().run();
        }
    }
}
