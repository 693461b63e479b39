// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.tasks20260728;

import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.dialect.words.StateWords;
import io.longhaul.protocol.dialect.words.StatelessResults;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A task in the format of the extension, for both sides: its fields are members of the result or of the params. */
final class DetailedTask {

    /** The poll interval where the server suggests none. */
    private static final Duration POLL = Duration.ofSeconds(1);

    private DetailedTask() {}

    /** The fields that every task has. */
    static JsonWriter fields(JsonWriter writer, TaskView task) {
        MessageWriter.idAndStatus(
                        writer, task, StateWords.OF_REVISIONS.word(task.status().state()))
                .optional("statusMessage", message(task));
        return MessageWriter.times(writer, task.times(), "ttlMs")
                .member("pollIntervalMs", Math.max(1, task.poll().toMillis()));
    }

    /**
     * All fields, with those of the status: the questions, the result or the error. A result with {@code isError} is
     * "completed": "failed" is for JSON-RPC errors alone.
     */
    static JsonWriter details(JsonWriter writer, TaskView task) {
        fields(writer, task);
        if (task.status().state() == State.INPUT_REQUIRED) {
            return writer.member(
                    "inputRequests", MessageWriter.questions(Generation.V2026_07_28.revision(), task.inputs()));
        }
        return switch (task.end()) {
            case null -> writer;
            case End.Result ended -> writer.member("result", StatelessResults.inner(ended.result()));
            case End.Cancelled cancelled -> writer;
            case End.Failure failed -> writer.member("error", JsonRpcCodec.encode(failed.error()));
            case End.Broken broken -> writer.member("error", JsonRpcCodec.encode(Refusals.ended(broken)));
        };
    }

    private static @Nullable String message(TaskView task) {
        return switch (task.end()) {
            case null ->
                MessageWriter.sentence(task.status().progress(), task.status().message());
            case End.Result ended -> task.status().message();
            case End.Failure failed -> failed.error().message();
            case End.Broken broken -> broken.reason();
            case End.Cancelled cancelled -> cancelled.reason();
        };
    }

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
                Objects.requireNonNull(ClientReader.millis(task, "pollIntervalMs", POLL)),
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
