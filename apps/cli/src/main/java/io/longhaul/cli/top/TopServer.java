// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top;

import io.longhaul.cli.tasks.TaskText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.cli.top.view.Activity;
import io.longhaul.cli.top.view.TaskDetail;
import io.longhaul.cli.top.view.TaskSnapshot;
import io.longhaul.client.OperatorTasks;
import io.longhaul.client.QuestionHandler;
import io.longhaul.client.RefusedException;
import io.longhaul.client.RemoteTasks;
import io.longhaul.protocol.call.HistoryRange;
import io.longhaul.protocol.call.TaskQuery;
import io.longhaul.protocol.call.TaskRecord;
import io.longhaul.protocol.call.TaskView.State;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads tasks of a server, and acts on them. Only one thread calls {@link #look}; other methods are thread-safe. */
final class TopServer {
    static final int PAGE = 200;

    /** The most live tasks, and the most ended tasks, of one read. */
    static final int MOST = 1_000;

    private static final Set<State> LIVE = EnumSet.complementOf(EnumSet.copyOf(TaskText.ENDED));
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final RemoteTasks tasks;
    private final OperatorTasks operator;
    private final InstantSource clock;

    /** Tasks that were live at the last read, or have ended since: a list of the newest tasks may lack them. */
    private Map<String, TaskRecord> watched = Map.of();

    TopServer(RemoteTasks tasks, OperatorTasks operator, InstantSource clock) {
        this.tasks = tasks;
        this.operator = operator;
        this.clock = clock;
    }

    /**
     * Reads the newest live tasks, the newest ended tasks, and the tasks that were seen to end in the last minute. A
     * task that only newer ones have pushed out of the list is not looked at.
     */
    TaskSnapshot look() {
        var since = clock.instant().minus(Activity.WINDOW);
        var live = find(LIVE, null);
        var ended = find(TaskText.ENDED, since);
        var all = new HashMap<String, TaskRecord>();
        ended.tasks().forEach(task -> all.put(task.task().id(), task));
        live.tasks().forEach(task -> all.put(task.task().id(), task));
        watched.forEach((id, task) -> {
            boolean isPushedOut = !TaskSnapshot.isEnded(task) && !live.reaches(created(task));
            if (!all.containsKey(id) && !isPushedOut && !ended.reaches(created(task))) {
                ended(task).ifPresent(one -> all.put(id, one));
            }
        });
        watched = new HashMap<>(all);
        watched.values()
                .removeIf(task -> TaskSnapshot.isEnded(task) && changed(task).isBefore(since));
        var newestFirst =
                Comparator.comparing((TaskRecord task) -> task.task().id()).reversed();
        var newest = all.values().stream().sorted(newestFirst).toList();
        return new TaskSnapshot(newest, live.isCut(), clock.instant(), null);
    }

    /**
     * The beginning of a list.
     *
     * @param tasks newest first
     * @param isCut whether there are older tasks
     */
    private record Found(List<TaskRecord> tasks, boolean isCut) {
        /** Whether the list has all tasks that were created at this time or later. */
        boolean reaches(Instant time) {
            return !isCut || created(tasks.getLast()).isBefore(time);
        }
    }

    /** @param enough the time to which the list must reach back; null for all tasks */
    private Found find(Set<State> states, @Nullable Instant enough) {
        var tasks = new ArrayList<TaskRecord>();
        String cursor = null;
        Found found;
        do {
            var page = operator.find(new TaskQuery(null, null, states, null, null), cursor, PAGE);
            tasks.addAll(page.tasks());
            cursor = page.nextCursor();
            found = new Found(tasks, cursor != null);
        } while (cursor != null
                && tasks.size() < MOST
                && (enough == null || tasks.size() < PAGE || !found.reaches(enough)));
        return found;
    }

    /** The ended form of a task that was live; empty where the task is no longer kept. */
    private Optional<TaskRecord> ended(TaskRecord task) {
        if (TaskSnapshot.isEnded(task)) {
            return Optional.of(task);
        }
        try {
            return Optional.of(operator.get(task.task().id()));
        } catch (RefusedException e) {
            return Optional.empty();
        }
    }

    private static Instant created(TaskRecord task) {
        return task.task().times().createdAt();
    }

    private static Instant changed(TaskRecord task) {
        return task.task().times().updatedAt();
    }

    /** Waits for the next event of the task, and gives the newer detail; may return without one after some time. */
    TaskDetail follow(TaskDetail before) {
        var id = before.task().task().id();
        var patience = before.last() == 0 ? Duration.ZERO : PATIENCE;
        var page = operator.history(id, new HistoryRange(before.last(), PAGE, Set.of(), before.written(), patience));
        return before.and(operator.get(id), page);
    }

    /** Cancels a task, and tells the result. */
    String cancel(String id) {
        tasks.cancel(id);
        return "cancelled " + id;
    }

    /** Calls the tool of a task again, and tells the id of the new task. */
    String retry(String id) {
        return "called again as " + operator.retry(id).id();
    }

    /** Removes tasks, and tells the result. */
    String purge(List<String> ids) {
        int removed = 0;
        var refused = new ArrayList<String>();
        for (var id : ids) {
            try {
                tasks.delete(id);
                removed++;
            } catch (RefusedException e) {
                refused.add(String.valueOf(e.getMessage()));
            }
        }
        return "removed " + removed
                + (refused.isEmpty() ? "" : "; " + refused.size() + " refused: " + SafeText.line(refused.getFirst()));
    }

    /** Asks a person the questions of a task, and tells the result. */
    String answer(String id, QuestionHandler person) {
        if (operator.get(id).questions() == 0) {
            return "it asks nothing now";
        }
        return tasks.answer(id, person) ? "answered" : "not answered: the question stays open";
    }
}
