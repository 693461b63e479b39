// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Answered;
import io.longhaul.engine.TaskEngine.Cancelled;
import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.TaskEngine.Deleted;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Ending;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.fakes.FakeTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A task that works and asks a question, with the engines that run it and the acts that race for it. */
final class RacedTask implements AutoCloseable {

    private static final Outcome RESULT = new Outcome.Result(Payload.ofText("result"), false);
    private static final Outcome ERROR = new Outcome.Error(-1, "error", null);
    private static final Payload ANSWER = Payload.ofText("answer");
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration LONG = Duration.ofDays(1_000);

    /** What can happen to the task. */
    enum Act {
        COMPLETE,
        FAIL,
        CANCEL,
        EXPIRE,
        ANSWER,
        DELETE,
        LEASE_LOSS;

        /** Whether this act can cause {@code ending}. */
        boolean ends(Ending ending) {
            return switch (ending.outcome()) {
                case Outcome.Result result -> this == COMPLETE;
                case Outcome.Error error -> this == FAIL;
                case Outcome.Cancelled cancelled -> this == CANCEL;
                case Outcome.Failed failed -> this == EXPIRE && failed.reason() == FailureReason.UNANSWERED;
            };
        }

        boolean isEnd() {
            return this == COMPLETE || this == FAIL || this == CANCEL || this == EXPIRE;
        }
    }

    private final TaskStore store;
    private final FakeTime time = new FakeTime();
    private final BlockingQueue<Outcome> ends = new LinkedBlockingQueue<>();
    private final Queue<Object> told = new ConcurrentLinkedQueue<>();
    private final List<TaskEngine> engines = new ArrayList<>();
    private final TaskEngine first;
    private final Task created;
    private final String question;

    RacedTask(TaskStore store) throws InterruptedException {
        this.store = store;
        first = engine(this::work);
        var creation = new Creation(TaskFixtures.ALICE, "work", Payload.EMPTY, Payload.EMPTY, null, null);
        created = ((Created.New) first.create(creation)).task();
        var asking = awaitTask(first, Task::outstanding);
        question = asking.outstanding().getFirst().key();
    }

    /** Starts an engine. All engines have the same node name, so that each takes over the task of the one before. */
    private TaskEngine engine(Backend backend) {
        var engine = DurableEngine.builder()
                .store(store)
                .node("node")
                .time(time)
                .limits(TaskLimits.builder()
                        .handBackGrace(Duration.ofSeconds(5))
                        .livePerOwner(1_000_000)
                        .build())
                .work(new Work("work", backend, CrashPolicy.RESTART, null, Integer.MAX_VALUE))
                .start();
        engines.add(engine);
        return engine;
    }

    /** Asks on a separate thread, and ends with the next outcome of {@link #ends}. */
    private Outcome work(Run run) throws InterruptedException {
        Thread.ofVirtual().start(() -> {
            try {
                run.ask(null, "ask", Payload.ofText("?"), PATIENCE);
            } catch (InterruptedException | RuntimeException e) {
                // The task has ended, or another engine has taken it.
            }
        });
        Outcome end = ends.take();
        if (end.equals(ERROR)) {
            throw new RunException(end);
        }
        return end;
    }

    TaskId id() {
        return created.id();
    }

    /** Performs an act. Returns the answer to its caller, or the exception; any value for an act without a caller. */
    Object does(Act act) {
        Object answer;
        try {
            answer = switch (act) {
                case COMPLETE -> ends.add(RESULT);
                case FAIL -> ends.add(ERROR);
                case CANCEL -> first.cancel(TaskFixtures.ALICE, id(), null);
                case ANSWER -> first.answer(TaskFixtures.ALICE, id(), Map.of(question, ANSWER));
                case DELETE -> first.delete(TaskFixtures.ALICE, id());
                case EXPIRE -> {
                    time.advance(PATIENCE);
                    yield act;
                }
                case LEASE_LOSS ->
                    engine(run -> {
                        new LinkedBlockingQueue<>().take();
                        return RESULT;
                    });
            };
        } catch (StoreException e) {
            answer = e;
        }
        told.add(answer);
        return answer;
    }

    /** Waits until the effect of the first act is stored. */
    void settle(Act act) throws InterruptedException {
        if (act.isEnd()) {
            awaitStopped(first);
        }
    }

    private void awaitStopped(TaskEngine engine) throws InterruptedException {
        awaitTask(engine, task -> {
            Ending ending = task.ending();
            return ending == null || !ending.workEnded() ? List.of() : List.of(ending);
        });
    }

    private interface Wanted {
        List<?> of(Task task);
    }

    private Task awaitTask(TaskEngine engine, Wanted wanted) throws InterruptedException {
        var now = engine.find(TaskFixtures.ALICE, created.id()).orElseThrow();
        while (wanted.of(now).isEmpty()) {
            now = engine.awaitChange(
                            TaskFixtures.ALICE,
                            now.id(),
                            now.position().version(),
                            time.now().plus(LONG))
                    .orElseThrow();
        }
        return now;
    }

    /** Stops all engines, the task's current one first: pending writes are completed. */
    void stop() {
        engines.reversed().forEach(TaskEngine::close);
    }

    /** Checks the stored task where the second act came after the first was stored. */
    void checkFirst(Act one, Act other) {
        var stored = store.find(id());
        if (one.isEnd()) {
            boolean isGone = other == Act.DELETE;
            assertThat(stored.isEmpty()).isEqualTo(isGone);
            stored.map(Task::ending)
                    .ifPresent(ending -> assertThat(one.ends(ending)).isTrue());
        } else if (one == Act.LEASE_LOSS
                && other == Act.CANCEL
                && store.sharedTasks().isPresent()) {
            // Any node may cancel any task.
            assertThat(stored.map(Task::ending)).isPresent();
        } else if (other != Act.EXPIRE ? one == Act.LEASE_LOSS : one == Act.ANSWER) {
            assertThat(stored.orElseThrow().ending()).isNull();
        }
    }

    /** Compares the answers to callers with the stored task. */
    void checkTold(Optional<Task> stored) {
        boolean deleted = told.stream().anyMatch(Deleted.Done.class::isInstance);
        assertThat(stored.isEmpty()).isEqualTo(deleted);
        var ending = stored.map(Task::ending);
        for (Object answer : told) {
            switch (answer) {
                case Cancelled.Done done ->
                    ending.ifPresent(end -> assertThat(end.outcome()).isEqualTo(outcome(done.task())));
                case Cancelled.AlreadyEnded ended ->
                    ending.ifPresent(end -> assertThat(end.outcome()).isEqualTo(outcome(ended.task())));
                case Answered.Done done -> {
                    boolean isAnswered = isAnswered(done.task());
                    assertThat(isAnswered || done.task().ending() != null).isTrue();
                    stored.ifPresent(task -> assertThat(isAnswered(task)).isEqualTo(isAnswered));
                }
                case Cancelled.NotFound none -> assertThat(deleted).isTrue();
                case Answered.NotFound none -> assertThat(deleted).isTrue();
                default -> {
                    // There is no caller, the caller was told of a failure, or the task is still live.
                }
            }
        }
    }

    private boolean isAnswered(Task task) {
        return task.status().inputs().stream()
                .anyMatch(input -> input.key().equals(question) && ANSWER.equals(input.answer()));
    }

    private static Outcome outcome(Task task) {
        Ending ending = task.ending();
        assertThat(ending).as("end of %s", task).isNotNull();
        return ending.outcome();
    }

    /** Ends the task if it is still live, and removes it: each engine reads what the store has when it starts. */
    @Override
    public void close() throws InterruptedException {
        stop();
        if (store.find(id()).filter(task -> task.ending() == null).isPresent()) {
            try (var last = engine(this::work)) {
                last.cancel(TaskFixtures.ALICE, id(), null);
                awaitStopped(last);
            }
        }
        store.remove(id());
    }
}
