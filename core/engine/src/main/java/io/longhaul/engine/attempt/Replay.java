// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.transition.Carried;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads from the history of a task what its next attempt needs. */
public final class Replay {

    private static final int PAGE = 500;

    /**
     * How many events to read from the end: a waiting task has at most its questions and answers after the last start.
     */
    private static final int TAIL = 200;

    private Replay() {}

    static Map<String, Payload> steps(TaskStore store, TaskId id) {
        var steps = new HashMap<String, Payload>();
        each(store, id, 0, event -> {
            if (event.what() instanceof EventDetail.StepDone step) {
                steps.put(step.name(), step.result());
            }
        });
        return steps;
    }

    /** The names of the calls among these steps. */
    static List<String> calls(Map<String, Payload> steps) {
        return steps.entrySet().stream()
                .map(step -> new EventDetail.StepDone(step.getKey(), step.getValue()))
                .filter(step -> step.child() != null)
                .map(EventDetail.StepDone::name)
                .toList();
    }

    /** What a new task takes over from an ended one; calls of children that {@code isUsable} refuses are left out. */
    public static Carried carried(TaskStore store, Task ended, Predicate<TaskId> isUsable) {
        var happenings = new ArrayList<EventDetail>();
        each(store, ended.id(), 0, event -> {
            switch (event.what()) {
                case EventDetail.StepDone step
                when step.child() == null || isUsable.test(step.child()) -> happenings.add(step);
                case EventDetail.Emitted piece -> happenings.add(piece);
                default -> {
                    // the work goes on from its record alone
                }
            }
        });
        var answered = ended.status().inputs().stream()
                .filter(question -> !question.isOutstanding() && !question.isOfChild())
                .toList();
        return new Carried(happenings, answered);
    }

    static void emitted(TaskStore store, TaskId id, Consumer<Payload> action) {
        each(store, id, 0, event -> {
            if (event.what() instanceof EventDetail.Emitted piece) {
                action.accept(piece.output());
            }
        });
    }

    /** The time of the first start: only the creation, and what it took over, comes before that event. */
    static @Nullable Instant firstStart(TaskStore store, TaskId id) {
        long cursor = 1;
        while (true) {
            var page = store.history(id, cursor, cursor == 1 ? 1 : PAGE);
            if (page.isEmpty()) {
                return null;
            }
            for (TaskEvent event : page) {
                if (event.what() instanceof EventDetail.Started) {
                    return event.at();
                }
            }
            cursor = page.getLast().seq();
        }
    }

    /** Whether a stopping server gave the task back, and no node has started it since. */
    public static boolean wasHandedBack(TaskStore store, TaskId id, long lastEvent) {
        var handedBack = new AtomicBoolean();
        each(store, id, Math.max(0, lastEvent - TAIL), event -> {
            switch (event.what()) {
                case EventDetail.HandedBack h -> handedBack.set(true);
                case EventDetail.Started s -> handedBack.set(false);
                default -> {
                    // no other event changes who runs the task
                }
            }
        });
        return handedBack.get();
    }

    /** When the task last said something, or its present job began; empty where the last events tell neither. */
    static Optional<Instant> lastWord(TaskStore store, TaskId id, long lastEvent) {
        var said = new AtomicReference<@Nullable Instant>();
        var goesOn = new AtomicBoolean();
        each(store, id, Math.max(0, lastEvent - TAIL), event -> {
            switch (event.what()) {
                case EventDetail.HandedBack h -> goesOn.set(true);
                case EventDetail.Crashed c -> goesOn.set(true);
                case EventDetail.Started s when goesOn.getAndSet(false) -> {
                    // the attempt goes on with the job of the one before
                }
                default -> said.set(event.at());
            }
        });
        return Optional.ofNullable(said.get());
    }

    /** Whether the last that happened is an answer: nothing was done with it that shows. */
    public static boolean endsWithAnswer(TaskStore store, TaskId id, long lastEvent) {
        return store.history(id, lastEvent - 1, 1).stream()
                .anyMatch(event -> event.what() instanceof EventDetail.Answered);
    }

    private static void each(TaskStore store, TaskId id, long after, Consumer<TaskEvent> action) {
        long cursor = after;
        while (true) {
            var page = store.history(id, cursor, PAGE);
            if (page.isEmpty()) {
                return;
            }
            page.forEach(action);
            cursor = page.getLast().seq();
        }
    }
}
