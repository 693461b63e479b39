// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.LIMITS;
import static io.longhaul.engine.TestEngine.creation;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.TaskEngine.Cancelled;
import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.FaultyTaskStore.Fault;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class BrokenStoreTest {

    private static final Backend ASKING =
            run -> new Outcome.Result(run.ask(null, "ask", TestEngine.text("?"), Duration.ofMinutes(5)), false);

    private final CountDownLatch failed = new CountDownLatch(1);

    /** Whose first end of a task cannot be stored. */
    private TestEngine losingEnd(Backend backend) {
        return site(Fault.FAIL_BEFORE, BrokenStoreTest::isEnd, CrashPolicy.FAIL, backend);
    }

    /** Whose first commit of work that has begun cannot be stored. */
    private TestEngine losingWork(CrashPolicy policy) {
        return site(Fault.FAIL_BEFORE, change -> change.before() != null, policy, run -> {
            run.partial(TestEngine.text("piece"));
            return result("attempt " + run.attempt());
        });
    }

    private TestEngine site(Fault fault, Predicate<Change> first, CrashPolicy policy, Backend backend) {
        return site(fault, first, work("w", policy, backend));
    }

    private TestEngine site(Fault fault, Predicate<Change> first, Work work) {
        var store = new MemoryTaskStore();
        var once = new AtomicReference<>(fault);
        return new TestEngine(
                new FakeTime(),
                store,
                new FaultyTaskStore(store, change -> {
                    if (!first.test(change)) {
                        return Fault.NONE;
                    }
                    failed.countDown();
                    return once.getAndSet(Fault.NONE);
                }),
                LIMITS,
                work);
    }

    /** Lets the pause pass after which the engine tries again. */
    private static void pass(TestEngine site) throws InterruptedException {
        site.time.awaitAlarmWithin(Duration.ofSeconds(1));
        site.time.advance(Duration.ofSeconds(1));
    }

    /** A task that the store has failed once, and that the engine has tried again. */
    private Task retried(TestEngine site) throws InterruptedException {
        var task = site.create("w");
        failed.await();
        pass(site);
        return task;
    }

    /** Waits until the question has its deadline, and has it pass. */
    private void passDeadline(TestEngine site) throws InterruptedException {
        site.time.awaitAlarmWithin(Duration.ofMinutes(5));
        site.time.advance(Duration.ofMinutes(5));
        failed.await();
    }

    private static void assertFailed(TestEngine site, Task task, FailureReason reason) throws Exception {
        assertThat(outcome(site.awaitStopped(task)))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class, end -> assertThat(end.reason()).isEqualTo(reason));
    }

    private static boolean isEnd(Change change) {
        return change.after().state().isTerminal();
    }

    @Test
    void a_task_whose_end_could_not_be_stored_is_never_taken_for_completed() throws Exception {
        var site = losingEnd(run -> result("lost"));
        var task = site.create("w");
        failed.await();
        assertThat(site.find(task).state()).isEqualTo(TaskState.WORKING);
        try (var next = site.crash(work("w", run -> result("second")))) {
            assertThat(outcome(next.awaitStopped(task))).isInstanceOf(Outcome.Failed.class);
        }
    }

    @Test
    void an_end_that_could_not_be_stored_is_stored_when_the_store_is_well_again() throws Exception {
        try (var site = losingEnd(run -> result("late"))) {
            var task = retried(site);
            assertThat(outcome(site.awaitEnd(task))).isEqualTo(result("late"));
        }
    }

    @Test
    void a_timeout_that_could_not_be_stored_ends_the_task_when_the_store_is_well_again() throws Exception {
        Backend endless = run -> {
            new CountDownLatch(1).await();
            return result("never");
        };
        var limited = new Work("w", endless, CrashPolicy.FAIL, Duration.ofMinutes(5), Integer.MAX_VALUE);
        try (var site = site(Fault.FAIL_BEFORE, BrokenStoreTest::isEnd, limited)) {
            var task = site.create("w");
            site.time.advance(Duration.ofMinutes(5));
            failed.await();
            pass(site);
            assertFailed(site, task, FailureReason.TIMED_OUT);
        }
    }

    @Test
    void the_deadline_of_an_answer_that_could_not_be_stored_ends_the_task_when_the_store_is_well_again()
            throws Exception {
        try (var site = losingEnd(ASKING)) {
            var task = site.create("w");
            site.awaitQuestion(task);
            passDeadline(site);
            pass(site);
            assertFailed(site, task, FailureReason.UNANSWERED);
        }
    }

    @Test
    void an_answer_given_before_the_store_is_well_again_is_worth_more_than_the_deadline_that_had_passed()
            throws Exception {
        try (var site = losingEnd(ASKING)) {
            var task = site.create("w");
            var key = site.awaitQuestion(task).outstanding().getFirst().key();
            passDeadline(site);
            site.engine.answer(ANN, task.id(), Map.of(key, TestEngine.text("late")));
            assertThat(outcome(site.awaitStopped(task))).isEqualTo(result("late"));
            pass(site);
            assertThat(outcome(site.find(task))).isEqualTo(result("late"));
        }
    }

    @Test
    void work_whose_store_failed_under_it_is_run_again_where_it_may_be() throws Exception {
        try (var site = losingWork(CrashPolicy.RESTART)) {
            var task = retried(site);
            assertThat(outcome(site.awaitEnd(task))).isEqualTo(result("attempt 2"));
        }
    }

    @Test
    void work_whose_store_failed_under_it_is_interrupted_where_it_must_not_run_twice() throws Exception {
        try (var site = losingWork(CrashPolicy.FAIL)) {
            var task = retried(site);
            assertThat(outcome(site.awaitEnd(task))).isInstanceOf(Outcome.Failed.class);
        }
    }

    @Test
    void an_end_that_was_written_but_not_said_is_found_on_the_next_look() throws Exception {
        var site = site(Fault.FAIL_AFTER, BrokenStoreTest::isEnd, CrashPolicy.FAIL, run -> result("written"));
        var task = site.create("w");
        failed.await();
        assertThat(site.engine.cancel(ANN, task.id(), null)).isInstanceOf(Cancelled.AlreadyEnded.class);
        assertThat(outcome(site.find(task))).isEqualTo(result("written"));
        site.close();
    }

    @Test
    void a_creation_that_was_written_but_not_said_is_taken_up_and_found_by_its_key() throws Exception {
        try (var site =
                site(Fault.FAIL_AFTER, change -> change.before() == null, CrashPolicy.FAIL, run -> result("ran"))) {
            var key = new CreationKey("k", "digest");
            assertThatThrownBy(() -> site.engine.create(creation("w", key, null)))
                    .isInstanceOf(StoreException.class);
            var same = (Created.Same) site.engine.create(creation("w", key, null));
            assertThat(outcome(site.awaitEnd(same.task()))).isEqualTo(result("ran"));
        }
    }

    @Test
    void a_creation_that_was_lost_leaves_nothing_behind() {
        try (var site =
                site(Fault.FAIL_BEFORE, change -> change.before() == null, CrashPolicy.FAIL, run -> result("never"))) {
            assertThatThrownBy(() -> site.engine.create(creation("w"))).isInstanceOf(StoreException.class);
            site.time.advance(Duration.ofSeconds(1));
            assertThat(site.engine.list(TaskFilter.of(ANN), null, 10).tasks()).isEmpty();
        }
    }

    @Test
    void a_store_that_fails_under_the_work_leaves_the_task_to_the_next_start_where_it_comes_first() throws Exception {
        var site = losingWork(CrashPolicy.RESTART);
        var task = site.create("w");
        failed.await();
        assertThat(site.find(task).state()).isEqualTo(TaskState.WORKING);
        try (var next = site.crash(work("w", CrashPolicy.RESTART, run -> result("second")))) {
            assertThat(outcome(next.awaitEnd(task))).isEqualTo(result("second"));
        }
    }
}
