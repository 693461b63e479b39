// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.HistoryRange;
import io.longhaul.protocol.call.TaskQuery;
import io.longhaul.protocol.call.TaskRecord;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a server that has the extension {@code io.longhaul/tasks}, as every server of Longhaul has: found by
 * tool, state and time, with their histories. The client sees its own tasks, and an operator those of all owners.
 * Thread-safe.
 *
 * <p>Every method throws {@link RefusedException} where the server refuses, as for an unknown id.
 */
public final class OperatorTasks {

    private final Requestor requestor;

    OperatorTasks(Requestor requestor) {
        this.requestor = requestor;
    }

    /**
     * One page of the tasks that a query takes, newest first. A page may be short or empty although others follow.
     *
     * @param cursor of the page, as the one before it gave; null for the first
     */
    public Answer.TaskRecords find(TaskQuery query, @Nullable String cursor, int limit) {
        return expect(Answer.TaskRecords.class, new Call.FindTasks(query, cursor, limit));
    }

    /** A task with its arguments, its open questions and its result. */
    public TaskRecord get(String taskId) {
        return expect(Answer.Inspected.class, new Call.InspectTask(taskId)).task();
    }

    /** What has happened to a task; waits for the next event where the range says so. */
    public Answer.History history(String taskId, HistoryRange range) {
        return expect(Answer.History.class, new Call.ReadHistory(taskId, range));
    }

    /** Calls the tool of a task that has ended once more with the same arguments, and gives the new task. */
    public TaskView retry(String taskId) {
        return expect(Answer.TaskCreated.class, new OutgoingCall(new Call.RetryTask(taskId)).repeatable(false))
                .task();
    }

    /**
     * Removes the client's own tasks that a query takes.
     *
     * @param olderThan for how long they must have ended
     * @return how many were removed
     */
    public int purge(TaskQuery query, Duration olderThan) {
        int deleted = 0;
        String cursor = null;
        do {
            var purged = expect(Answer.Purged.class, new Call.PurgeTasks(query, olderThan, cursor));
            deleted += purged.deleted();
            cursor = purged.nextCursor();
        } while (cursor != null);
        return deleted;
    }

    private <T extends Answer> T expect(Class<T> answer, Call call) {
        return expect(answer, new OutgoingCall(call));
    }

    private <T extends Answer> T expect(Class<T> answer, OutgoingCall call) {
        var given = Replies.require(requestor.ask(call));
        if (answer.isInstance(given)) {
            return answer.cast(given);
        }
        throw new UnusableAnswerException("The server answered something else than was asked.", null);
    }
}
