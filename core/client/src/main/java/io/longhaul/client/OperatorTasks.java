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
 * Finds tasks by tool, state and time, with their histories, at a server with the extension {@code io.longhaul/tasks}.
 * Every Longhaul server has the extension. A client sees its own tasks, and an operator sees the tasks of all owners.
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
     * One page of the tasks that match a query, newest first. A page may be short or empty although others follow.
     *
     * @param cursor of the page, as the previous page gave it; null for the first page
     */
    public Answer.TaskRecords find(TaskQuery query, @Nullable String cursor, int limit) {
        return expect(Answer.TaskRecords.class, new Call.FindTasks(query, cursor, limit));
    }

    /** A task with its arguments, its open questions and its result. */
    public TaskRecord get(String taskId) {
        return expect(Answer.Inspected.class, new Call.InspectTask(taskId)).task();
    }

    /** The history of a task; waits for the next event where the range says so. */
    public Answer.History history(String taskId, HistoryRange range) {
        return expect(Answer.History.class, new Call.ReadHistory(taskId, range));
    }

    /** Calls the tool of an ended task again with the same arguments, and gives the new task. */
    public TaskView retry(String taskId) {
        return again(new Call.RetryTask(taskId, false));
    }

    /** As {@link #retry}, but the new task goes on from the steps and answers that the ended task has recorded. */
    public TaskView resume(String taskId) {
        return again(new Call.RetryTask(taskId, true));
    }

    private TaskView again(Call.RetryTask call) {
        return expect(Answer.TaskCreated.class, new OutgoingCall(call).repeatable(false))
                .task();
    }

    /**
     * Removes the client's own tasks that match a query.
     *
     * @param olderThan the least time since the end of a task
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
