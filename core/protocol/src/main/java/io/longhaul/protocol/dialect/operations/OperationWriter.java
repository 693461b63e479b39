// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.operations;

import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.RpcError;
import java.time.Duration;

/** Writes operations. */
final class OperationWriter {

    private static final long MILLIS = 1_000;

    private OperationWriter() {}

    /**
     * The immediate result of a call. "Servers MAY override this duration [...], and MUST return its final value in the
     * `operation.keepAlive` field": null is only written where the operation is kept without a limit.
     */
    static Json accepted(CallResponse.TaskCreated created) {
        TaskView task = created.task();
        var writer = JsonWriter.object(384).name("content");
        writer.raw(created.immediate() == null ? Json.raw("[]") : created.immediate());
        writer.name("operation").beginObject().member("token", task.id()).name("keepAlive");
        Duration keepAlive = task.times().keepAlive();
        if (keepAlive == null) {
            writer.nothing();
        } else {
            seconds(writer, keepAlive);
        }
        seconds(writer.name("pollFrequency"), task.poll());
        return writer.member("status", status(task)).endObject().end();
    }

    /** "Error message if status is `failed`." */
    static Json state(TaskView task) {
        var writer = JsonWriter.object(128).member("status", status(task));
        boolean failed = task.status().state() == TaskView.State.FAILED;
        return writer.optional("error", failed && task.end() != null ? reason(task.end()) : null)
                .end();
    }

    /** The complete final result. */
    static Json result(Json result) {
        return JsonWriter.object(result.size() + 16).member("result", result).end();
    }

    /** "When an asynchronous tool call is in the `completed` status, its result can be queried": in no other. */
    static RpcError noResult(TaskView task) {
        var message = "Failed to retrieve operation: Operation has no result, its status is '" + status(task) + "'";
        boolean failed = task.status().state() == TaskView.State.FAILED;
        return new RpcError(
                RpcError.INVALID_PARAMS, failed && task.end() != null ? message + ": " + reason(task.end()) : message);
    }

    static RpcError notFound() {
        return new RpcError(RpcError.INVALID_PARAMS, "Failed to retrieve operation: Operation not found");
    }

    static RpcError reused() {
        return new RpcError(
                RpcError.INVALID_PARAMS,
                "Failed to start operation: params.operation.token was used before for another operation");
    }

    /**
     * The status of an operation. A result with {@code isError} is completed. The status is never `unknown`, since
     * every state is stored.
     */
    private static String status(TaskView task) {
        var state = task.status().state();
        return state == State.CANCELLED ? "canceled" : MessageWriter.status(state);
    }

    private static String reason(End end) {
        return Refusals.ended(end).message();
    }

    private static void seconds(JsonWriter writer, Duration time) {
        if (time.toMillis() % MILLIS == 0) {
            writer.number(time.toSeconds());
        } else {
            writer.number(time.toMillis() / (double) MILLIS);
        }
    }
}
