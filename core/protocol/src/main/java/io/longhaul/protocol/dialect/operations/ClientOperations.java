// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.operations;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.ClientDialect.Hello;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.base.ClientHandshake;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The client's side of SEP-1391: "the client MUST provide a unique operation.token to represent the operation across
 * requests", polls {@code tools/async/status} as often as the server suggests, and fetches the result of a completed
 * operation.
 */
public final class ClientOperations extends ClientHandshake {

    private static final double MILLIS = 1_000;

    public ClientOperations() {
        super(Generation.NEXT, Operations::traits, Operations.RELATED);
    }

    @Override
    protected Hello offered(Hello said) {
        return said.offering(true, false, false);
    }

    @Override
    public Outgoing write(Call call, ClientProfile me) {
        return switch (call) {
            case Call.GetTask get -> out("tools/async/status", token(get.taskId()));
            case Call.GetOutcome get -> out("tools/async/result", token(get.taskId()));
            default -> super.write(call, me);
        };
    }

    private static ObjectNode token(String token) {
        return JsonTree.object().put("token", token);
    }

    @Override
    protected void wish(ObjectNode params, TaskWish.Terms terms) {
        if (terms.alias() != null) {
            var operation =
                    params.putObject("operation").put("token", terms.alias().id());
            if (terms.time() != null) {
                operation.put("keepAlive", (long) Math.ceil(terms.time().toMillis() / MILLIS));
            }
        }
    }

    @Override
    public CallResponse read(Call call, Json result) throws UnusableMessageException {
        var node = ClientReader.object(result, "result");
        return switch (call) {
            case Call.CallTool tool when node.path("operation").isObject() -> created(tool, node);
            case Call.GetTask get -> new CallResponse.TaskState(view(get.taskId(), ClientReader.state(node), node));
            case Call.GetOutcome get -> new CallResponse.ToolResult(payload(node));
            default -> super.read(call, result);
        };
    }

    /**
     * The answer to a call. The interface in the SEP has no token in an immediate result, and its example has no
     * status. Without a token the operation has the token of the call; without a status it is submitted.
     */
    private static CallResponse created(Call.CallTool call, JsonNode node) throws UnusableMessageException {
        var operation = node.path("operation");
        var given = ClientReader.optionalText(operation, "token");
        var token = given == null ? ownToken(call) : given;
        var content = ClientReader.content(node.path("content"));
        return new CallResponse.TaskCreated(
                view(token, operation.has("status") ? ClientReader.state(operation) : State.SUBMITTED, operation),
                content.isEmpty() ? null : JsonTree.write(content));
    }

    private static String ownToken(Call.CallTool call) throws UnusableMessageException {
        if (call.wish() instanceof TaskWish.Terms terms && terms.alias() != null) {
            return terms.alias().id();
        }
        throw new UnusableMessageException("The server began an operation that has no token.");
    }

    private static Json payload(JsonNode node) throws UnusableMessageException {
        if (!node.path("result").isObject()) {
            throw new UnusableMessageException("The server's operation has completed without a result.");
        }
        return JsonTree.write(node.path("result"));
    }

    private static TaskView view(String token, State state, JsonNode operation) {
        var error = ClientReader.optionalText(operation, "error");
        var poll = operation.path("pollFrequency").asDouble(0);
        return new TaskView(
                token,
                new TaskView.Status(state, error, null),
                TaskView.Times.UNTOLD,
                Duration.ofMillis((long) (Math.max(0, Math.min(poll, 3_600)) * MILLIS)),
                Map.of(),
                ClientReader.end(operation, error));
    }

    @Override
    protected TaskMode mode(JsonNode tool) {
        return tool.path("invocationMode").asString("").equals("async") ? TaskMode.OPTIONAL : TaskMode.NEVER;
    }
}
