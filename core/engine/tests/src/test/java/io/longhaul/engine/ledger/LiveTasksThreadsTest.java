// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.ledger;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.slot.RunSlot;
import io.longhaul.engine.slot.Slots;
import io.longhaul.engine.task.Owner;
import io.longhaul.store.contract.TaskFixtures;
import io.longhaul.testkit.InterleavingContract;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;

/** Two tasks of one owner, of which one has its turn, whatever threads have the other wait for it and end them. */
public class LiveTasksThreadsTest extends InterleavingContract {

    private static final int MOST = 2;

    private final LiveTasks tasks = new LiveTasks(
            TaskLimits.builder().livePerOwner(1).queuedPerOwner(MOST - 1).build(), null);
    private final List<Created> all =
            IntStream.range(0, MOST).mapToObj(this::create).toList();

    public LiveTasksThreadsTest() {
        await(0);
    }

    /** A task, and what has become of it. */
    private static final class Created {
        private final LiveTask live;
        private final AtomicBoolean waits = new AtomicBoolean();
        private final AtomicBoolean ended = new AtomicBoolean();
        private final AtomicInteger begun = new AtomicInteger();

        Created(LiveTask live) {
            this.live = live;
        }
    }

    private Created create(int number) {
        require(tasks.reserve("ann", MOST), "there is room for " + MOST);
        var created = new Created(task(number));
        tasks.add(created.live);
        return created;
    }

    private static LiveTask task(int number) {
        return new LiveTask(
                TaskFixtures.id(number),
                new Owner("ann"),
                "ann",
                new RunSlot(new Slots(1, List.of(), TestEngine.NO_TIME), TaskFixtures.id(1), "work"),
                null);
    }

    /** Once, as the thread that creates the second task does. */
    @Operation
    public void await() {
        await(1);
    }

    private void await(int number) {
        var task = all.get(number);
        if (!task.waits.getAndSet(true)) {
            tasks.onTurn(task.live, 0, task.begun::incrementAndGet);
        }
    }

    @Operation
    public void end(@Param(gen = IntGen.class, conf = "0:1") int number) {
        var task = all.get(number);
        task.ended.set(true);
        tasks.remove(task.live);
    }

    @Validate
    public void each_task_begins_once_and_none_waits_while_there_is_a_turn() {
        int begun = 0;
        int waiting = 0;
        int free = 0;
        for (var task : all) {
            require(task.begun.get() <= 1, "a task has begun twice");
            free += task.ended.get() ? 1 : 0;
            begun += task.ended.get() ? 0 : task.begun.get();
            waiting += task.waits.get() && !task.ended.get() && task.begun.get() == 0 ? 1 : 0;
        }
        require(begun <= 1, begun + " tasks have their turn at once");
        require(begun == 1 || waiting == 0, "a task waits for a turn that no other has");
        for (int more = free; more > 0; more--) {
            require(tasks.reserve("ann", MOST), "a task that has ended is counted");
        }
        require(!tasks.reserve("ann", MOST), "a task that is live is not counted");
        all.forEach(task -> tasks.remove(task.live));
        var next = task(MOST);
        require(tasks.tryTurn(next), "a task that has ended has its turn");
    }
}
