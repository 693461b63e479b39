// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.tasks20260728;

import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.dialect.words.StatelessResults;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import org.jspecify.annotations.Nullable;

/** Writes a task in the format of the extension, whose fields are members of the result or the params themselves. */
final class DetailedTask {

    private DetailedTask() {}

    /** The fields that every task has. */
    static JsonWriter fields(JsonWriter writer, TaskView task) {
        MessageWriter.idAndStatus(writer, task, status(task.status().state())).optional("statusMessage", message(task));
        return MessageWriter.times(writer, task.times(), "ttlMs")
                .member("pollIntervalMs", Math.max(1, task.poll().toMillis()));
    }

    /** All fields, with those of the status: the questions, the result or the error. */
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

    /** A result with {@code isError} is "completed": "failed" is for JSON-RPC errors alone. */
    private static String status(State state) {
        return MessageWriter.status(state == State.SUBMITTED ? State.WORKING : state);
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
}
