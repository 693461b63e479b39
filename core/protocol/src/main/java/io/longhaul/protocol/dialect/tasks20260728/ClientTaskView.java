// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.tasks20260728;

import static java.util.Objects.requireNonNull;

import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.StatelessResults;
import io.longhaul.protocol.json.JsonTree;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads a task of the extension, with the fields of each status. */
final class ClientTaskView {

    private ClientTaskView() {}

    /** Reads a task that is shown in full. A completed task without its result has no end. */
    static TaskView read(JsonNode task) throws UnusableMessageException {
        var status = ClientReader.status(task);
        return view(task, status, end(task, status));
    }

    /**
     * Reads the task of a "CreateTaskResult", which has no end: a call that is repeated with its creation key may find
     * a task that has ended already.
     */
    static TaskView created(JsonNode task) throws UnusableMessageException {
        return view(task, ClientReader.status(task), null);
    }

    private static TaskView view(JsonNode task, TaskView.Status status, @Nullable End end)
            throws UnusableMessageException {
        return new TaskView(
                ClientReader.text(task, "taskId", "task"),
                status,
                ClientReader.times(task, "ttlMs"),
                requireNonNull(ClientReader.millis(task, "pollIntervalMs", ClientStateless.defaultPoll())),
                ClientReader.questions(task.path("inputRequests")),
                end);
    }

    private static @Nullable End end(JsonNode task, TaskView.Status status) {
        return switch (status.state()) {
            case COMPLETED, DECLINED -> result(task);
            case FAILED -> new End.Failure(ClientReader.error(task.path("error")));
            case CANCELLED -> new End.Cancelled(status.message());
            case SUBMITTED, WORKING, INPUT_REQUIRED -> null;
        };
    }

    private static @Nullable End result(JsonNode task) {
        var result = task.path("result");
        return result.isObject()
                ? new End.Result(
                        StatelessResults.bare(JsonTree.write(result)),
                        result.path("isError").asBoolean(false))
                : null;
    }
}
