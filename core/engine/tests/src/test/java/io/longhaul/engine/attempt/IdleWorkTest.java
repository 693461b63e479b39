// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.LIMITS;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TestEngine;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Retry;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.run.Work.Bounds;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Task;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Work that says nothing for its limit of ten minutes. */
@Timeout(20)
class IdleWorkTest {

    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final FakeTime time = new FakeTime();
    private final Worker worker = new Worker();

    private interface Act {
        void on(Run run) throws Exception;
    }

    private record Order(Act act, CompletableFuture<Boolean> done) {}

    /** Does what the test orders, and nothing by itself. */
    private static final class Worker implements Backend {

        private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();

        @Override
        public Outcome run(Run run) throws Exception {
            while (true) {
                var order = orders.take();
                try {
                    order.act.on(run);
                } finally {
                    order.done.complete(true);
                }
            }
        }

        CompletableFuture<Boolean> begins(Act act) {
            var order = new Order(act, new CompletableFuture<>());
            orders.add(order);
            return order.done;
        }

        void does(Act act) throws Exception {
            begins(act).get();
        }
    }

    private static Work idle(Backend backend, CrashPolicy policy) {
        return new Work("w", backend, policy, new Bounds(null, LIMIT, 1, 0, null), null, new Retry(1, LIMIT));
    }

    private TestEngine site(CrashPolicy policy) {
        return new TestEngine(
                time, new MemoryTaskStore(), LIMITS, idle(worker, policy), work("child", TestEngine.held(child, "c")));
    }

    private final CountDownLatch child = new CountDownLatch(1);

    private static Instant minute(long number) {
        return FakeTime.START.plus(Duration.ofMinutes(number));
    }

    private void advance(long minutes) {
        time.advance(Duration.ofMinutes(minutes));
    }

    private static void assertEnds(TestEngine site, Task task, long minute) throws Exception {
        var ended = site.awaitStopped(task);
        assertThat(ended.ending().at()).isEqualTo(minute(minute));
        assertThat(outcome(ended))
                .isEqualTo(new Outcome.Failed(FailureReason.TIMED_OUT, "The task said nothing for 600 s, its limit."));
    }

    /** Waits until the task has given its slot away, after it has asked or called. */
    private static void awaitTaken(TestEngine site, int slots) throws InterruptedException {
        while (site.engine.statistics().slotsTaken() != slots) {
            if (Thread.interrupted()) {
                throw new InterruptedException("not " + slots + " slots are taken");
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void is_ended_with_that_reason() throws Exception {
        try (var site = site(CrashPolicy.FAIL)) {
            var task = site.create("w");
            time.awaitAlarmIn(LIMIT);
            time.advance(LIMIT.minusMillis(1));
            assertThat(site.find(task).ending()).isNull();
            time.advance(Duration.ofMillis(1));
            assertEnds(site, task, 10);
        }
    }

    @Test
    void leaves_what_its_backend_makes_of_it() throws Exception {
        var backend = new Backend() {
            @Override
            public Outcome run(Run run) throws Exception {
                return worker.run(run);
            }

            @Override
            public Outcome timedOut(Run run, Outcome.Failed end) {
                return result("so far; " + end.message());
            }
        };
        try (var site = new TestEngine(time, new MemoryTaskStore(), LIMITS, idle(backend, CrashPolicy.FAIL))) {
            var task = site.create("w");
            time.advanceToAlarmIn(LIMIT);
            assertThat(outcome(site.awaitStopped(task)))
                    .isEqualTo(result("so far; The task said nothing for 600 s, its limit."));
        }
    }

    private enum Word implements Act {
        LOG(run -> run.log("info", null, text("\"line\""))),
        PROGRESS(run -> run.progress(new Progress(1, null, null))),
        STATUS(run -> run.status("loaded")),
        PARTIAL(run -> run.partial(text("piece"))),
        OUTPUT(run -> run.write("line\n", "1")),
        STEP(run -> run.step("load", () -> text("rows"))),
        CALL(run -> run.call("call", () -> new Run.Call("child", text("{}"), Payload.EMPTY, LIMIT)));

        private final Act act;

        Word(Act act) {
            this.act = act;
        }

        @Override
        public void on(Run run) throws Exception {
            act.on(run);
        }
    }

    @ParameterizedTest
    @EnumSource
    void has_its_whole_time_again_after_each_word(Word word) throws Exception {
        try (var site = site(CrashPolicy.FAIL)) {
            var task = site.create("w");
            advance(9);
            worker.does(word);
            advance(1);
            time.awaitAlarmIn(Duration.ofMinutes(9));
            advance(9);
            assertEnds(site, task, 19);
        }
    }

    @Test
    void has_said_nothing_by_a_handle_or_by_the_words_of_before() throws Exception {
        try (var site = site(CrashPolicy.FAIL)) {
            var task = site.create("w");
            worker.does(run -> run.progress(new Progress(1, 2.0, "half")));
            worker.does(run -> run.status("half"));
            advance(9);
            worker.does(run -> run.progress(new Progress(1, 2.0, "half")));
            worker.does(run -> run.status("half"));
            worker.does(run -> run.saveHandle(text("job")));
            advance(1);
            assertEnds(site, task, 10);
        }
    }

    @Test
    void waits_for_an_answer_as_long_as_it_takes_and_then_has_its_whole_time() throws Exception {
        try (var site = site(CrashPolicy.FAIL)) {
            var task = site.create("w");
            var asking = worker.begins(run -> run.ask("ok", "ask", text("?"), null));
            awaitTaken(site, 0);
            for (int i = 0; i < 6; i++) {
                time.advanceToAlarmIn(LIMIT);
            }
            time.awaitAlarmIn(LIMIT);
            advance(5);
            site.engine.answer(ANN, task.id(), Map.of("ok", text("yes")));
            asking.join();
            advance(5);
            time.awaitAlarmIn(Duration.ofMinutes(5));
            advance(5);
            assertEnds(site, task, 75);
        }
    }

    @Test
    void waits_for_a_task_that_it_has_called() throws Exception {
        try (var site = site(CrashPolicy.FAIL)) {
            var task = site.create("w");
            var calling = worker.begins(run -> {
                run.call("c", () -> new Run.Call("child", text("{}"), Payload.EMPTY, LIMIT))
                        .await();
            });
            site.await(task, now -> now.position().lastEvent() > 2);
            awaitTaken(site, 1);
            time.advanceToAlarmIn(LIMIT);
            time.awaitAlarmIn(LIMIT);
            advance(9);
            assertThat(site.find(task).ending()).isNull();
            child.countDown();
            calling.join();
            advance(1);
            time.awaitAlarmIn(Duration.ofMinutes(9));
            advance(9);
            assertEnds(site, task, 29);
        }
    }

    @Test
    void begins_anew_with_the_attempt_after_a_failure_whose_pause_does_not_count() throws Exception {
        try (var site = site(CrashPolicy.FAIL)) {
            var task = site.create("w");
            advance(9);
            worker.does(run -> {
                run.retry("failed");
                throw new IllegalStateException("failed");
            });
            time.advanceToAlarmIn(LIMIT);
            site.await(task, now -> now.execution().attempts().started() == 2);
            time.awaitAlarmIn(LIMIT);
            assertThat(site.find(task).ending()).isNull();
            advance(10);
            assertEnds(site, task, 29);
        }
    }

    private TestEngine afterCrash(TestEngine site, CrashPolicy policy) {
        return site.crash(idle(worker, policy), work("child", TestEngine.held(child, "c")));
    }

    @Test
    void of_a_job_that_outlives_the_server_is_counted_from_the_last_word_before() throws Exception {
        var first = site(CrashPolicy.REATTACH);
        var task = first.create("w");
        worker.does(run -> run.saveHandle(text("job")));
        advance(2);
        worker.does(run -> run.log("info", null, text("\"line\"")));
        advance(1);
        worker.does(run -> run.write("line\n", "1"));
        advance(4);
        var stuck = new Worker();
        try (var next = first.crash(idle(stuck, CrashPolicy.REATTACH))) {
            stuck.does(Run::attempt);
            time.advanceToAlarmIn(Duration.ofMinutes(1));
            time.awaitAlarmIn(Duration.ofMinutes(5));
            advance(5);
            assertEnds(next, task, 13);
        }
    }

    @Test
    void of_a_job_is_not_ended_before_the_server_has_read_what_the_job_said_meanwhile() throws Exception {
        var first = site(CrashPolicy.REATTACH);
        var task = first.create("w");
        worker.does(run -> run.saveHandle(text("job")));
        var store = first.store.reopen();
        advance(60);
        var stuck = new Worker();
        try (var next = new TestEngine(time, store, LIMITS, idle(stuck, CrashPolicy.REATTACH))) {
            stuck.does(run -> run.status("said meanwhile"));
            advance(1);
            time.awaitAlarmIn(Duration.ofMinutes(9));
            assertThat(next.find(task).ending()).isNull();
        }
    }

    @Test
    void of_a_job_that_has_said_nothing_meanwhile_is_ended_soon_after_the_restart() throws Exception {
        var first = new TestEngine(time, new MemoryTaskStore(), LIMITS, idle(worker, CrashPolicy.REATTACH));
        var task = first.create("w");
        worker.does(run -> run.saveHandle(text("job")));
        var store = first.store.reopen();
        advance(60);
        var stuck = new Worker();
        try (var next = new TestEngine(time, store, LIMITS, idle(stuck, CrashPolicy.REATTACH))) {
            stuck.does(Run::attempt);
            time.advanceToAlarmIn(Duration.ofMinutes(1));
            assertEnds(next, task, 61);
        }
    }

    @Test
    void that_is_run_again_after_a_crash_has_its_whole_time() throws Exception {
        var first = site(CrashPolicy.RESTART);
        var task = first.create("w");
        advance(9);
        try (var next = afterCrash(first, CrashPolicy.RESTART)) {
            next.await(task, now -> now.execution().attempts().started() == 2);
            time.advanceToAlarmIn(LIMIT);
            assertEnds(next, task, 19);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {3, -3})
    void has_its_time_however_the_clock_is_set(long days) throws Exception {
        try (var site = site(CrashPolicy.FAIL)) {
            var task = site.create("w");
            advance(4);
            worker.does(Word.LOG);
            time.jump(Duration.ofDays(days));
            advance(6);
            time.awaitAlarmIn(Duration.ofMinutes(4));
            time.advance(Duration.ofMinutes(4).minusMillis(1));
            assertThat(site.find(task).ending()).isNull();
            time.advance(Duration.ofMillis(1));
            assertThat(outcome(site.awaitEnd(task))).isInstanceOf(Outcome.Failed.class);
        }
    }
}
