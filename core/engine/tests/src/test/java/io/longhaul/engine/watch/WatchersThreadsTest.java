// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.watch;

import io.longhaul.engine.TaskWatcher;
import io.longhaul.store.contract.TaskFixtures;
import io.longhaul.testkit.InterleavingContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;

/** The watchers of one task, whatever threads come to watch it, leave, and change it. */
@Param(name = "watcher", gen = IntGen.class, conf = "0:1")
public class WatchersThreadsTest extends InterleavingContract {

    /** A thread that waits for a change behind the one that it has seen. */
    private record Waiting(Watchers.Waiter waiter, int seen) {}

    private final Watchers watchers = new Watchers();
    private final AtomicInteger changes = new AtomicInteger();
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final ThreadLocal<List<Integer>> told = new ThreadLocal<>();
    private final List<TaskWatcher> all =
            IntStream.range(0, 2).mapToObj(this::watcher).toList();

    private TaskWatcher watcher(int number) {
        return (now, events) -> told.get().add(number);
    }

    @Operation
    public void add(@Param(name = "watcher") int watcher) {
        watchers.add(all.get(watcher));
    }

    @Operation
    public void remove(@Param(name = "watcher") int watcher) {
        watchers.remove(all.get(watcher));
    }

    @Operation
    public void await() {
        var waiter = watchers.register();
        waiting.add(new Waiting(waiter, changes.get()));
    }

    /** A thread that gives up. */
    @Operation
    public void leave() {
        var one = waiting.poll();
        if (one != null) {
            watchers.unregister(one.waiter());
        }
    }

    @Operation
    public List<Integer> change() {
        changes.incrementAndGet();
        told.set(new ArrayList<>());
        watchers.changed(TaskFixtures.task(1), List.of());
        return told.get();
    }

    /** A thread that was missed waits here for ever. */
    @Validate
    public void no_thread_sleeps_over_a_change() throws InterruptedException {
        change();
        for (Waiting one : waiting) {
            if (one.seen() < changes.get()) {
                one.waiter().await();
            }
        }
    }
}
