// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.client.request.ServerResponses;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
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
    public CallResponse.TaskRecords find(TaskQuery query, @Nullable String cursor, int limit) {
        return expect(CallResponse.TaskRecords.class, new Call.FindTasks(query, cursor, limit));
    }

    /** A task with its arguments, its open questions and its result. */
    public TaskRecord get(String taskId) {
        return expect(CallResponse.Inspected.class, new Call.InspectTask(taskId))
                .task();
    }

    /** The history of a task; waits for the next event where the range says so. */
    public CallResponse.History history(String taskId, HistoryRange range) {
        return expect(CallResponse.History.class, new Call.ReadHistory(taskId, range));
    }

    /** Calls the tool of an ended task again with the same arguments, and gives the new task. */
    public TaskView retry(String taskId) {
        return again(new Call.RerunTask(taskId, false));
    }

    /** As {@link #retry}, but the new task goes on from the steps and answers that the ended task has recorded. */
    public TaskView resume(String taskId) {
        return again(new Call.RerunTask(taskId, true));
    }

    private TaskView again(Call.RerunTask call) {
        return expect(CallResponse.TaskCreated.class, new OutgoingCall(call).repeatable(false))
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
            var purged = expect(CallResponse.Purged.class, new Call.PurgeTasks(query, olderThan, cursor));
            deleted += purged.deleted();
            cursor = purged.nextCursor();
        } while (cursor != null);
        return deleted;
    }

    private <T extends CallResponse> T expect(Class<T> answer, Call call) {
        return expect(answer, new OutgoingCall(call));
    }

    private <T extends CallResponse> T expect(Class<T> answer, OutgoingCall call) {
        return ServerResponses.require(answer, requestor.ask(call), "was asked");
    }
}
