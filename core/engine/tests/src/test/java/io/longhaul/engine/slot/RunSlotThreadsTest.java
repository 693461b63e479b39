// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.slot;

import io.longhaul.engine.TestEngine;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.store.contract.TaskFixtures;
import io.longhaul.testkit.InterleavingContract;
import java.util.List;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;

/** Two attempts that want one slot, whatever threads ask for it, pause and end them. */
@Param(name = "attempt", gen = IntGen.class, conf = "0:1")
public class RunSlotThreadsTest extends InterleavingContract {

    private static final String WORK = "work";

    private final Slots slots = new Slots(
            1,
            List.of(new Work(
                    WORK,
                    run -> {
                        throw new IllegalStateException("nothing runs here");
                    },
                    CrashPolicy.FAIL,
                    null,
                    2)),
            TestEngine.NO_TIME);
    private final List<RunSlot> attempts = IntStream.range(0, 2)
            .mapToObj(number -> new RunSlot(slots, TaskFixtures.id(number), WORK))
            .toList();

    public RunSlotThreadsTest() {
        await(0);
        await(1);
    }

    @Operation
    public void await(@Param(name = "attempt") int attempt) {
        attempts.get(attempt).await(false, () -> true, () -> {});
    }

    @Operation
    public void pause(@Param(name = "attempt") int attempt) {
        attempts.get(attempt).pause();
    }

    @Operation
    public void release(@Param(name = "attempt") int attempt) {
        attempts.get(attempt).release();
    }

    @Validate
    public void no_slot_is_free_while_an_attempt_waits_and_none_is_lost() {
        boolean waits = slots.queues().get(WORK) > 0;
        require(!waits || slots.taken() == slots.size(), "an attempt waits for a slot that is free");
        attempts.forEach(RunSlot::release);
        require(slots.taken() == 0, slots.taken() + " slots are taken by no attempt");
    }
}
