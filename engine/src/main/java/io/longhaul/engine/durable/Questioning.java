// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.engine.transition.Command;

/** Tasks that wait for answers, and the deadlines of those. */
record Questioning(EngineContext parts, Ledger ledger, Lease lease, Retries retries) {

    /**
     * Whether a task needs no thread until an answer comes: nothing was answered since its oldest outstanding
     * question was asked, so that its work would only come back to where it waited. One that passes on the question of
     * a child has to learn what becomes of the child.
     */
    static boolean onlyWaits(Task task) {
        return task.state() == TaskState.INPUT_REQUIRED
                && task.outstanding().stream().noneMatch(InputRequest::isOfChild)
                && task.status().inputs().stream()
                        .dropWhile(question -> !question.isOutstanding())
                        .allMatch(InputRequest::isOutstanding);
    }

    /** The deadline of a question has passed. Does not block. */
    void expire(LiveTask live, String key) {
        String name = "unanswered-" + live.id;
        parts.fork(name, () -> retries.now(name, () -> ledger.change(live, new Command.LeaveUnanswered(key), lease)));
    }

    /** Arms the deadlines of a task that waits without a thread. */
    void watch(LiveTask live) {
        for (InputRequest question : live.stored().outstanding()) {
            parts.time().at(question.deadline(), () -> expire(live, question.key()));
        }
    }
}
