// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.clienttask;

import io.longhaul.protocol.Require;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The stored form of a task that a client runs, from which a later process of the client can continue the task. */
final class AnswerTaskCodec {

    private static final int FORMAT = 1;

    private AnswerTaskCodec() {}

    /** @param end how the task ended, or null while it is live */
    static Json write(AnswerTask.Facts task, Instant updatedAt, @Nullable End end) {
        var row = JsonTree.object()
                .put("format", FORMAT)
                .put("task", task.id())
                .put("method", task.asked().question().method())
                .put("keep", task.keep().from().name())
                .put("kept", task.keep().time().toString())
                .put("createdAt", task.createdAt().toString())
                .put("updatedAt", updatedAt.toString());
        row.set("request", JsonTree.read(JsonRpcCodec.encode(task.asked().id())));
        row.set("params", JsonTree.read(task.asked().question().params()));
        task.asked().parent().ifPresent(parent -> row.put("parent", parent));
        switch (end) {
            case null -> {}
            case End.Result(var result, var isError) -> row.set("result", JsonTree.read(result));
            case End.Failure(var error) ->
                row.putObject("error").put("code", error.code()).put("message", error.message());
            case End.Cancelled cancelled -> row.put("cancelled", true);
            case End.Broken broken -> row.put("cancelled", true);
        }
        return JsonTree.write(row);
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IllegalArgumentException where the text is no such task
     */
    static AnswerTask read(Json text) {
        var row = JsonTree.read(text);
        Require.that(row.path("format").asInt(0) == FORMAT, "This is no task that this version of Longhaul reads.");
        var question = new Question(row.path("method").stringValue(), JsonTree.write(row.path("params")));
        var parent = Optional.ofNullable(row.path("parent").asString(null));
        var facts = new AnswerTask.Facts(
                row.path("task").stringValue(),
                new AskedQuestion(id(row.path("request")), question, parent, 0),
                new Keep(
                        Keep.From.valueOf(row.path("keep").stringValue()),
                        Duration.parse(row.path("kept").stringValue())),
                Instant.parse(row.path("createdAt").stringValue()));
        var task = new AnswerTask(facts);
        var end = end(row);
        if (end != null) {
            task.end(end, Instant.parse(row.path("updatedAt").stringValue()));
        }
        return task;
    }

    private static RequestId id(JsonNode id) {
        return id.isString() ? new RequestId.Text(id.stringValue()) : new RequestId.Number(id.longValue());
    }

    private static @Nullable End end(JsonNode row) {
        if (row.has("result")) {
            return new End.Result(JsonTree.write(row.path("result")), false);
        }
        var error = row.path("error");
        if (error.isObject()) {
            return new End.Failure(new RpcError(
                    error.path("code").intValue(), error.path("message").stringValue()));
        }
        return row.has("cancelled") ? new End.Cancelled(null) : null;
    }
}
