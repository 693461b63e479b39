// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.operations;

import io.longhaul.protocol.call.Call.Alias;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.dialect.words.StateWords;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.RpcError;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Operations and their states, for both sides; a server reads strictly, and names a wrong field. */
final class OperationCodec {

    /** The space of the tokens that clients choose. */
    static final String TOKENS = "sep-1391";

    private static final int LONGEST_TOKEN = 256;
    private static final double MILLIS = 1_000;

    private static final StateWords WORDS = StateWords.of(
                    State.SUBMITTED, State.WORKING, State.INPUT_REQUIRED, State.COMPLETED, State.FAILED)
            .and("canceled", State.CANCELLED)
            .and("unknown", State.FAILED);

    private OperationCodec() {}

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
        return WORDS.word(task.status().state());
    }

    private static String reason(End end) {
        return Refusals.ended(end).message();
    }

    private static void seconds(JsonWriter writer, Duration time) {
        writer.number(time.toMillis() / MILLIS);
    }

    /**
     * "A client will never have the option to choose": the tool alone decides whether a call becomes an operation. The
     * params of the operation count only where there is one.
     */
    static TaskWish wish(Params params) {
        if (!params.has("operation")) {
            return wish(null, null);
        }
        params.object("operation");
        var operation = params.inner("operation");
        String token = operation.optionalKey("token");
        return wish(keep(operation), token == null ? null : new Alias(TOKENS, chosen(operation, token)));
    }

    private static TaskWish wish(@Nullable Duration keep, @Nullable Alias token) {
        return new TaskWish.Terms(Created.BY_SERVER, Keep.From.COMPLETION, keep, token);
    }

    private static String chosen(Params operation, String token) {
        if (token.isEmpty()) {
            return operation.fail("token", "must not be empty");
        }
        return token.length() > LONGEST_TOKEN
                ? operation.fail("token", "must not be longer than " + LONGEST_TOKEN + " characters")
                : token;
    }

    /** "An `operation.keepAlive` of null represents an unlimited duration." */
    private static @Nullable Duration keep(Params operation) {
        if (!operation.has("keepAlive")) {
            return null;
        }
        var keep = operation.optionalTime("keepAlive", Duration.ofSeconds(1));
        return keep == null ? Params.LONGEST_TIME : keep;
    }

    /** The operation that a client asks for; an operation without a token is left to the server. */
    static void write(ObjectNode params, TaskWish.Terms terms) {
        if (terms.alias() != null) {
            var operation =
                    params.putObject("operation").put("token", terms.alias().id());
            if (terms.time() != null) {
                operation.put("keepAlive", (long) Math.ceil(terms.time().toMillis() / MILLIS));
            }
        }
    }

    /** Reads the state of an operation. In the immediate result of a call, the example of the SEP has no status. */
    static TaskView read(String token, JsonNode operation, boolean isCreated) throws UnusableMessageException {
        var error = ClientReader.optionalText(operation, "error");
        var poll = operation.path("pollFrequency").asDouble(0);
        var state = isCreated && !operation.has("status") ? State.SUBMITTED : WORDS.state(operation);
        return new TaskView(
                token,
                new TaskView.Status(state, error, null),
                TaskView.Times.UNTOLD,
                Duration.ofMillis((long) (Math.max(0, Math.min(poll, 3_600)) * MILLIS)),
                Map.of(),
                ClientReader.end(operation, error));
    }
}
