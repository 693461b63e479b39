// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.ledger.Ledger;
import io.longhaul.engine.ledger.LiveTask;
import io.longhaul.engine.node.EngineContext;
import io.longhaul.engine.node.StoreRetries;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.engine.transition.Command;
import java.util.List;

/** Handles tasks that wait for answers, and the deadlines of their questions. */
public record QuestionDeadlines(EngineContext parts, Ledger ledger, Lease lease, StoreRetries retries) {

    /**
     * Whether a task needs no thread until an answer comes: no question was answered since the oldest outstanding
     * question was asked, so that a new attempt would only return to the same wait. An answer to a question that was
     * asked together with an outstanding one waits for the answer to that. A task that passes on a question of a child
     * needs a thread, which follows the child.
     */
    public static boolean onlyWaits(Task task) {
        return task.state() == TaskState.INPUT_REQUIRED
                && task.outstanding().stream().noneMatch(InputRequest::isOfChild)
                && task.status().inputs().stream()
                        .dropWhile(question -> !question.isOutstanding())
                        .allMatch(question -> question.isOutstanding() || isAskedWithOutstanding(question, task));
    }

    private static boolean isAskedWithOutstanding(InputRequest question, Task task) {
        return task.outstanding().stream()
                .anyMatch(open -> open.askedAt().equals(question.askedAt())
                        && open.deadline().equals(question.deadline()));
    }

    /** Ends a task because the deadline of a question has passed. Does not block. */
    private void expire(LiveTask live, String key) {
        String name = "unanswered-" + live.id();
        parts.fork(name, () -> retries.now(name, () -> ledger.change(live, new Command.LeaveUnanswered(key), lease)));
    }

    /** Sets an alarm for the deadline of a question. */
    TaskTime.Alarm deadline(LiveTask live, InputRequest question) {
        return parts.time().at(question.deadline(), () -> expire(live, question.key()));
    }

    /** Sets alarms for the deadlines of all questions of a task. */
    List<TaskTime.Alarm> deadlines(LiveTask live) {
        return live.stored().outstanding().stream()
                .map(question -> deadline(live, question))
                .toList();
    }
}
