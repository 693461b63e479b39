// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What bounds the partial output of a task. */
class PartialOutputTest {

    private static final TaskLimits LIMITS = TaskLimits.builder()
            .handBackGrace(Duration.ofMillis(200))
            .pieceBytes(10)
            .outputBytes(25)
            .build();

    private static Payload bytes(int size) {
        return Payload.of(new byte[size]);
    }

    private static TestEngine site(Backend backend) {
        return new TestEngine(new FakeTime(), new MemoryTaskStore(), LIMITS, work("w", CrashPolicy.RESTART, backend));
    }

    private static void assertFailed(TestEngine site, Task task, String why) throws Exception {
        assertThat(outcome(site.awaitEnd(task))).isEqualTo(new Outcome.Error(-32603, why, null));
    }

    @Test
    void a_piece_that_no_client_could_take_is_refused_and_not_stored() throws Exception {
        try (var site = site(run -> {
            run.partial(bytes(10));
            run.partial(bytes(11));
            return result("never");
        })) {
            var task = site.create("w");
            assertFailed(site, task, "A piece of partial output may have 10 bytes, and this one has 11.");
            assertThat(site.history(task))
                    .filteredOn(EventDetail.Emitted.class::isInstance)
                    .containsExactly(new EventDetail.Emitted(bytes(10)));
        }
    }

    @Test
    void a_log_line_that_no_client_could_take_is_refused() throws Exception {
        try (var site = site(run -> {
            run.log("info", null, bytes(11));
            return result("never");
        })) {
            assertFailed(site, site.create("w"), "A log line may have 10 bytes, and this one has 11.");
        }
    }

    @Test
    void a_task_has_no_more_partial_output_than_the_limit_says() throws Exception {
        try (var site = site(run -> {
            run.partial(bytes(10));
            run.partial(bytes(10));
            run.partial(bytes(5));
            run.partial(bytes(1));
            return result("never");
        })) {
            assertFailed(
                    site,
                    site.create("w"),
                    "The task may have 25 bytes of partial output in all, and has 25: there is no room for a piece of"
                            + " 1.");
        }
    }

    @Test
    void work_that_is_refused_a_piece_may_go_on_without_it() throws Exception {
        try (var site = site(run -> {
            assertThatThrownBy(() -> run.partial(bytes(11))).isInstanceOf(RunException.class);
            run.partial(bytes(1));
            return result(run.partialCount() + " piece");
        })) {
            assertThat(outcome(site.awaitEnd(site.create("w")))).isEqualTo(result("1 piece"));
        }
    }

    @Test
    void what_earlier_attempts_have_put_out_counts_after_a_crash() throws Exception {
        var begun = new CountDownLatch(1);
        var site = site(run -> {
            run.partial(bytes(10));
            run.partial(bytes(10));
            begun.countDown();
            new CountDownLatch(1).await();
            return result("never");
        });
        var task = site.create("w");
        begun.await();
        try (var next = site.crash(work("w", CrashPolicy.RESTART, run -> {
            assertThat(run.partialCount()).isEqualTo(2);
            run.partial(bytes(10));
            return result("never");
        }))) {
            assertFailed(
                    next,
                    task,
                    "The task may have 25 bytes of partial output in all, and has 20: there is no room for a piece of"
                            + " 10.");
        }
    }
}
