// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.LIMITS;
import static io.longhaul.engine.TestEngine.held;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskStatistics.InState;
import io.longhaul.engine.TaskStatistics.OfWork;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What an engine says that it has to do. */
class StatisticsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final CountDownLatch go = new CountDownLatch(1);

    private static OfWork of(TaskStatistics all, String work) {
        return all.works().stream()
                .filter(one -> one.work().equals(work))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void tasks_are_counted_by_work_and_state_with_the_oldest_of_each() throws Exception {
        var single = new Work("single", held(go, "done"), CrashPolicy.FAIL, null, 1);
        try (var site = new TestEngine(single, work("other", held(go, "done")))) {
            var begun = site.time.now();
            var first = site.create("single");
            site.await(first, now -> now.state() == TaskState.WORKING);
            site.time.advance(MINUTE);
            site.create("single");
            site.time.advance(MINUTE);
            site.create("single");

            var all = site.engine.statistics();

            assertThat(of(all, "single"))
                    .isEqualTo(new OfWork(
                            "single",
                            Map.of(
                                    TaskState.WORKING,
                                    new InState(1, begun),
                                    TaskState.SUBMITTED,
                                    new InState(2, begun.plus(MINUTE))),
                            0,
                            2));
            assertThat(of(all, "other")).isEqualTo(new OfWork("other", Map.of(), 0, 0));
            assertThat(all.slots()).isEqualTo(LIMITS.running());
            assertThat(all.slotsTaken()).isEqualTo(1);
            go.countDown();
        }
    }

    @Test
    void a_task_that_is_cancelled_in_line_leaves_the_line() throws Exception {
        var single = new Work("single", held(go, "done"), CrashPolicy.FAIL, null, 1);
        try (var site = new TestEngine(single)) {
            site.create("single");
            var second = site.create("single");
            site.engine.cancel(ANN, second.id(), null);

            assertThat(of(site.engine.statistics(), "single").queue()).isZero();
            go.countDown();
        }
    }

    @Test
    void questions_are_counted_until_they_are_answered() throws Exception {
        try (var site = new TestEngine(work("asks", run -> {
            run.ask("one", "ask", text("?"), null);
            go.await();
            return result("done");
        }))) {
            var task = site.create("asks");
            site.awaitQuestion(task);
            assertThat(of(site.engine.statistics(), "asks").questions()).isEqualTo(1);

            site.engine.answer(ANN, task.id(), Map.of("one", text("!")));

            assertThat(of(site.engine.statistics(), "asks").questions()).isZero();
            go.countDown();
        }
    }

    @Test
    void what_has_ended_is_counted_no_more() throws Exception {
        try (var site =
                new TestEngine(new FakeTime(), new MemoryTaskStore(), LIMITS, work("quick", run -> result("done")))) {
            site.awaitStopped(site.create("quick"));

            while (!of(site.engine.statistics(), "quick").states().isEmpty()) {
                Thread.onSpinWait();
            }
        }
    }
}
