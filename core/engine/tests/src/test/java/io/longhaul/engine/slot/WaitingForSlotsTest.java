// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.slot;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server with one slot: what a run that waits for answers does to it. */
class WaitingForSlotsTest {

    private static final TaskLimits ONE = TaskLimits.builder()
            .running(1)
            .handBackGrace(Duration.ofMillis(200))
            .build();

    private final CountDownLatch busy = new CountDownLatch(1);
    private final Backend blocker = run -> {
        busy.await();
        return result("blocked");
    };

    private TestEngine site(Backend asking) {
        return new TestEngine(
                new FakeTime(),
                new MemoryTaskStore(),
                ONE,
                work("asking", asking),
                work("blocker", blocker),
                work("quick", run -> result("ran")));
    }

    private static CompletableFuture<Payload> asking(Run run, String key) {
        var answer = new CompletableFuture<Payload>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(run.ask(key, "ask", text("?"), null));
            } catch (InterruptedException | RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    private static void awaitQuestions(TestEngine site, Task task, int count) throws Exception {
        site.await(task, now -> now.status().inputs().size() == count);
    }

    private static void answer(TestEngine site, Task task, String key) {
        site.engine.answer(ANN, task.id(), Map.of(key, text(key)));
    }

    /** Takes the only slot as soon as it is free. */
    private static Task block(TestEngine site) throws Exception {
        var blocking = site.create("blocker");
        return site.await(blocking, now -> now.state() == TaskState.WORKING);
    }

    private static void assertThatASlotIsFree(TestEngine site) throws Exception {
        assertThat(outcome(site.awaitEnd(site.create("quick")))).isEqualTo(result("ran"));
        assertThat(outcome(site.awaitEnd(site.create("quick")))).isEqualTo(result("ran"));
    }

    /** A task that waits for so many answers, while no slot is free. */
    private Task blocked(TestEngine site, int questions) throws Exception {
        var task = site.create("asking");
        awaitQuestions(site, task, questions);
        block(site);
        return task;
    }

    private void assertEndsWithBothAnswers(TestEngine site, Task task) throws Exception {
        busy.countDown();
        assertThat(outcome(site.awaitEnd(task))).isEqualTo(result("ab"));
        assertThatASlotIsFree(site);
    }

    @Test
    void two_threads_of_one_handler_that_are_answered_while_no_slot_is_free_take_one_slot_together() throws Exception {
        try (var site = site(run -> {
            var first = asking(run, "a");
            var second = asking(run, "b");
            return result(first.get().text() + second.get().text());
        })) {
            var task = blocked(site, 2);
            answer(site, task, "a");
            answer(site, task, "b");
            assertEndsWithBothAnswers(site, task);
        }
    }

    @Test
    void a_thread_that_asks_while_another_one_of_its_handler_waits_for_a_slot_takes_none_of_its_own() throws Exception {
        var secondAsks = new CountDownLatch(1);
        try (var site = site(run -> {
            var first = asking(run, "a");
            secondAsks.await();
            var second = asking(run, "b");
            return result(first.get().text() + second.get().text());
        })) {
            var task = blocked(site, 1);
            answer(site, task, "a");
            secondAsks.countDown();
            awaitQuestions(site, task, 2);
            answer(site, task, "b");
            assertEndsWithBothAnswers(site, task);
        }
    }

    @Test
    void a_thread_that_still_waits_when_its_handler_has_returned_takes_no_slot() throws Exception {
        var left = new CompletableFuture<CompletableFuture<Payload>>();
        var askedOnce = new CountDownLatch(1);
        try (var site = site(run -> {
            left.complete(asking(run, "a"));
            askedOnce.await();
            return result("returned");
        })) {
            var task = site.create("asking");
            awaitQuestions(site, task, 1);
            askedOnce.countDown();
            assertThat(outcome(site.awaitEnd(task))).isEqualTo(result("returned"));
            assertThat(left.get()).failsWithin(Duration.ofMinutes(1));
            assertThatASlotIsFree(site);
        }
    }

    @Test
    @Timeout(60)
    void a_task_that_is_cancelled_in_line_is_not_kept_while_others_wait() throws Exception {
        try (var site = site(blocker)) {
            block(site);
            site.create("quick");
            var gone = new ReferenceQueue<Payload>();
            var request = cancelled(site, gone);
            while (gone.remove(100) == null) {
                System.gc();
            }
            assertThat(request.get()).isNull();
            busy.countDown();
            assertThatASlotIsFree(site);
        }
    }

    /** The request of a task that waited for a slot, and was cancelled and deleted. */
    private static WeakReference<Payload> cancelled(TestEngine site, ReferenceQueue<Payload> gone) throws Exception {
        var request = text("large");
        var created = site.engine.create(new TaskEngine.Creation(ANN, "quick", request, Payload.EMPTY, null, null));
        var task = ((TaskEngine.Created.New) created).task();
        site.engine.cancel(ANN, task.id(), null);
        site.awaitStopped(task);
        assertThat(site.engine.delete(ANN, task.id())).isInstanceOf(TaskEngine.Deleted.Done.class);
        return new WeakReference<>(request, gone);
    }

    @RepeatedTest(50)
    void a_run_that_goes_on_while_another_thread_of_it_waits_holds_its_slot() throws Exception {
        var asks = new CountDownLatch(1);
        var goesOn = new CountDownLatch(1);
        var end = new CountDownLatch(1);
        try (var site = site(run -> {
            asking(run, "b");
            asks.await();
            var first = run.ask("a", "ask", text("?"), null);
            goesOn.countDown();
            end.await();
            return result(first.text());
        })) {
            var task = site.create("asking");
            site.awaitEnd(site.create("quick"));
            asks.countDown();
            awaitQuestions(site, task, 2);
            answer(site, task, "a");
            goesOn.await();
            assertThat(site.create("quick").state()).isEqualTo(TaskState.SUBMITTED);
            end.countDown();
            assertThat(outcome(site.awaitEnd(task))).isEqualTo(result("a"));
            assertThatASlotIsFree(site);
        }
    }
}
