// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.creation;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class FullDiskTest {
    private final FakeTime time = new FakeTime();
    private final MemoryTaskStore store = new MemoryTaskStore();
    private final FaultyTaskStore disk = new FaultyTaskStore(store, 1);

    @Test
    void creations_that_a_full_disk_refused_do_not_count_for_the_limit_of_live_tasks_and_take_no_slot()
            throws Exception {
        var limits = TaskLimits.builder().livePerOwner(1).running(1).build();
        try (var site = new TestEngine(time, store, disk, limits, work("w", run -> result("ran")))) {
            disk.fill();
            for (var i = 0; i < 3; i++) {
                assertThatThrownBy(() -> site.engine.create(creation("w"))).isInstanceOf(StoreFullException.class);
            }
            disk.free();
            assertThat(outcome(site.awaitEnd(site.create("w")))).isEqualTo(result("ran"));
            assertThat(site.engine.list(TaskFilter.of(ANN), null, 10).tasks()).hasSize(1);
        }
    }

    @Test
    void a_server_that_starts_on_a_full_disk_shows_tasks_and_takes_them_up_when_there_is_room() throws Exception {
        var before = new TestEngine(
                time, store, TestEngine.LIMITS, work("quick", run -> result("done")), work("slow", run -> {
                    new CountDownLatch(1).await();
                    return result("never");
                }));
        var done = before.awaitEnd(before.create("quick"));
        var cut = before.create("slow");
        var next = store.reopen();
        var full = new FaultyTaskStore(next, 1);
        full.fill();
        var slow = work("slow", CrashPolicy.RESTART, run -> result("second"));
        try (var site = new TestEngine(time, next, full, TestEngine.LIMITS, slow)) {
            assertThat(outcome(site.find(done))).isEqualTo(result("done"));
            assertThat(site.find(cut).state()).isEqualTo(TaskState.WORKING);
            full.free();
            time.awaitAlarmWithin(Duration.ofSeconds(1));
            time.advance(Duration.ofSeconds(1));
            assertThat(outcome(site.awaitEnd(cut))).isEqualTo(result("second"));
        }
    }
}
