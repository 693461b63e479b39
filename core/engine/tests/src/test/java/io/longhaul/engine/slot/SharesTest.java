// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.slot;

import static io.longhaul.engine.TestEngine.creation;
import static io.longhaul.engine.TestEngine.held;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Groups of live tasks beside those of owners. */
class SharesTest {

    private final CountDownLatch go = new CountDownLatch(1);

    private TaskEngine engine(MemoryTaskStore store) {
        return DurableEngine.builder()
                .store(store)
                .time(new FakeTime())
                .limits(TaskLimits.builder().livePerOwner(1).build())
                .shares(spec ->
                        spec.work().equals("clock") ? "clock" : spec.owner().value())
                .work(work("clock", CrashPolicy.RESTART, held(go, "clock")))
                .work(work("user", CrashPolicy.RESTART, held(go, "user")))
                .start();
    }

    @Test
    void tasks_of_a_share_take_no_room_of_their_owner_before_a_restart_and_after() {
        var store = new MemoryTaskStore();
        var first = engine(store);
        assertThat(first.create(creation("clock"), "clock")).isInstanceOf(Created.New.class);
        assertThat(first.create(creation("clock"), "clock")).isInstanceOf(Created.TooManyLive.class);
        try (var second = engine(store.reopen())) {
            assertThat(second.create(creation("clock"), "clock")).isInstanceOf(Created.TooManyLive.class);
            assertThat(second.create(creation("user"))).isInstanceOf(Created.New.class);
            assertThat(second.create(creation("user"))).isInstanceOf(Created.TooManyLive.class);
            go.countDown();
        }
    }
}
