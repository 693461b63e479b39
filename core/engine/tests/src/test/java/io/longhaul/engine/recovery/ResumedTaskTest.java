// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.recovery;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static io.longhaul.engine.TestEngine.work;
import static io.longhaul.engine.children.ChildCalls.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.children.ChildCalls;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A task that goes on where an ended task has ended. */
@Timeout(60)
class ResumedTaskTest {

    private final List<String> done = new CopyOnWriteArrayList<>();
    private final AtomicBoolean isMended = new AtomicBoolean();

    private Outcome record(String what) {
        done.add(what);
        return result(what);
    }

    /** Work that fails behind its step, its piece and its answer, until it is mended. */
    private final Backend failing = run -> {
        run.step("load", () -> {
            done.add("load");
            return text("rows");
        });
        for (int i = run.partialCount(); i < 2; i++) {
            run.partial(text("piece " + i));
        }
        var answer = run.ask(null, "ask", text("sure?"), null);
        if (!isMended.get()) {
            throw new IllegalStateException("the disk is full");
        }
        return result(answer.text() + ", " + run.partialCount() + " pieces");
    };

    private static Task resume(TestEngine site, Task ended) {
        var creation = TestEngine.creation(ended.spec().work());
        return ((Created.New) site.engine.resume(creation, ANN.value(), ended)).task();
    }

    private static Task failed(TestEngine site) throws InterruptedException {
        var task = site.create("w");
        var question = site.awaitQuestion(task).outstanding().getFirst();
        site.engine.answer(ANN, task.id(), Map.of(question.key(), text("yes")));
        return site.awaitStopped(task);
    }

    @Test
    void steps_answers_and_pieces_of_the_ended_task_are_taken_over() throws Exception {
        try (var site = new TestEngine(work("w", failing))) {
            var ended = failed(site);
            isMended.set(true);
            var resumed = site.awaitEnd(resume(site, ended));
            assertThat(outcome(resumed)).isEqualTo(result("yes, 2 pieces"));
            assertThat(done).containsExactly("load");
            assertThat(site.history(resumed))
                    .startsWith(new EventDetail.Created(), new EventDetail.StepDone("load", text("rows")))
                    .containsOnlyOnce(
                            new EventDetail.Emitted(text("piece 0")), new EventDetail.Emitted(text("piece 1")));
            assertThat(resumed.position().lastOutput()).isEqualTo(4);
        }
    }

    @Test
    void a_resumed_task_that_is_resumed_again_has_the_records_of_both() throws Exception {
        try (var site = new TestEngine(work("w", failing))) {
            var second = site.awaitStopped(resume(site, failed(site)));
            isMended.set(true);
            assertThat(outcome(site.awaitEnd(resume(site, second)))).isEqualTo(result("yes, 2 pieces"));
            assertThat(done).containsExactly("load");
        }
    }

    @Test
    void a_resumed_task_that_has_to_wait_goes_on_after_a_crash_too_and_its_timeout_begins_with_its_start()
            throws Exception {
        var limits = TaskLimits.builder().running(1).build();
        var begun = new CountDownLatch(1);
        var holds = new AtomicBoolean();
        Backend once = run -> {
            if (holds.get()) {
                begun.countDown();
                new CountDownLatch(1).await();
            }
            return failing.run(run);
        };
        var w = new Work("w", once, CrashPolicy.RESTART, Duration.ofHours(1), Integer.MAX_VALUE);
        var first = new TestEngine(new FakeTime(), new MemoryTaskStore(), limits, w);
        var ended = failed(first);
        isMended.set(true);
        holds.set(true);
        first.create("w");
        begun.await();
        var waiting = resume(first, ended);
        assertThat(first.find(waiting).execution().attempts().started()).isZero();
        holds.set(false);
        try (var next = first.crash(w)) {
            assertThat(outcome(next.awaitEnd(waiting))).isEqualTo(result("yes, 2 pieces"));
            assertThat(done).contains("load");
        }
    }

    @Test
    void a_child_with_a_result_is_not_called_again_and_any_other_is() throws Exception {
        Backend parent = run -> {
            var good = run.call("good", call("c", "good")).await();
            var bad = run.call("bad", call("c", "bad")).await();
            return outcome(bad) instanceof Outcome.Failed
                    ? outcome(bad)
                    : result(((Outcome.Result) outcome(good)).body().text() + " and bad");
        };
        Backend child = run -> {
            var name = run.spec().request().text();
            if (name.equals("bad") && !isMended.get()) {
                done.add("failed");
                throw new IllegalStateException("the disk is full");
            }
            return record(name);
        };
        try (var site = new TestEngine(work("w", parent), work("c", child))) {
            var ended = site.awaitStopped(site.create("w"));
            assertThat(done).containsExactly("good", "failed");
            isMended.set(true);
            assertThat(outcome(site.awaitEnd(resume(site, ended)))).isEqualTo(result("good and bad"));
            assertThat(done).containsExactly("good", "failed", "bad");
        }
    }

    @Test
    void a_child_that_was_taken_over_and_is_gone_is_called_again() throws Exception {
        var called = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var isFirst = new AtomicBoolean(true);
        Backend parent = run -> {
            if (!isFirst.getAndSet(false)) {
                called.countDown();
                go.await();
            }
            var good = run.call("good", call("c", "good")).await();
            if (!isMended.get()) {
                throw new IllegalStateException("the disk is full");
            }
            return outcome(good);
        };
        try (var site = new TestEngine(
                work("w", parent), work("c", run -> record(run.spec().request().text())))) {
            var ended = site.awaitStopped(site.create("w"));
            isMended.set(true);
            var resumed = resume(site, ended);
            called.await();
            var child = ChildCalls.child(site, ended);
            site.engine.delete(ANN, child.id());
            go.countDown();
            assertThat(outcome(site.awaitEnd(resumed))).isEqualTo(result("good"));
            assertThat(done).containsExactly("good", "good");
        }
    }
}
