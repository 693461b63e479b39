// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fuzz;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.Round;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.Parsed;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Input: a message of a server, as a client gets it. Each dialect of clients reads it, a result as the answer to each
 * kind of call, or says in a sentence why it cannot be used.
 */
final class ClientDialectsTarget implements Target {

    private static final List<Call> CALLS = List.of(
            new Call.Ping(),
            new Call.ListTools(null),
            new Call.ListResources(null),
            new Call.ListTemplates(null),
            new Call.ListPrompts(null),
            new Call.ReadResource("note://one", CallExtras.NONE, Round.FIRST),
            new Call.GetPrompt("trip", Map.of(), CallExtras.NONE, Round.FIRST),
            new Call.Complete(new Call.Completed.Prompt("trip"), "city", "P", Map.of()),
            tool(new TaskWish.None()),
            tool(new TaskWish.Terms(TaskWish.Created.BY_CALLER, Call.Keep.From.CREATION, null, null)),
            tool(new TaskWish.Terms(TaskWish.Created.BY_SERVER, Call.Keep.From.CREATION, null, null)),
            tool(new TaskWish.Terms(TaskWish.Created.BESIDE_RESPONSE, Call.Keep.From.COMPLETION, null, null)),
            tool(new TaskWish.Terms(TaskWish.Created.BY_CALLER, Call.Keep.From.LEAVING, null, null)),
            tool(new TaskWish.NextPart(null, false)),
            new Call.GetTask("task-1"),
            new Call.GetOutcome("task-1"),
            new Call.AwaitOutcome("task-1"),
            new Call.PollOutcome("task-1", Duration.ofSeconds(1), Call.CallExtras.NONE),
            new Call.JoinTask("task-1", null, CallExtras.NONE),
            new Call.ListTasks(null),
            new Call.CancelTask("task-1"),
            new Call.DeleteTask("task-1"),
            new Call.UpdateTask("task-1", Map.of()));

    private final JsonRpcCodec codec = JsonRpcCodec.lenient();

    private static Call tool(TaskWish wish) {
        return new CallTool("report", Json.EMPTY_OBJECT, wish, CallExtras.NONE, Round.FIRST);
    }

    /** Something that is read, or cannot be used. */
    @FunctionalInterface
    private interface Reading {
        Object read() throws UnusableMessageException;
    }

    @Override
    public void feed(byte[] input) {
        if (codec.parse(input) instanceof Parsed.Message(JsonRpcMessage message)) {
            ClientDialects.spoken().stream().map(ClientDialects::of).forEach(dialect -> read(dialect, message));
        }
    }

    private static void read(ClientDialect dialect, JsonRpcMessage message) {
        switch (message) {
            case JsonRpcMessage.Result(var id, var result) -> result(dialect, result);
            case JsonRpcMessage.Notification note -> {
                tried(() -> dialect.notice(note));
                dialect.relatedTask(note.params());
            }
            case JsonRpcMessage.Request question -> {
                tried(() -> dialect.wanted(question));
                dialect.relatedTask(question.params());
            }
            case JsonRpcMessage.Failure(var id, var error) -> {
                ClientDialects.versions(error);
            }
        }
    }

    private static void result(ClientDialect dialect, Json result) {
        tried(() -> dialect.hello(result));
        tried(() -> dialect.hosted(result));
        CALLS.forEach(call -> tried(() -> dialect.decode(call, result)));
        if (result.kind() == Json.Kind.OBJECT) {
            JsonReader.members(result).asMap().values().forEach(definition -> terms(dialect, definition));
        }
    }

    private static void terms(ClientDialect dialect, Json definition) {
        if (definition.kind() == Json.Kind.OBJECT
                && dialect.terms(definition) instanceof ClientDialect.ToolTerms.Usable usable) {
            dialect.mirrored(usable, definition);
        }
    }

    private static void tried(Reading reading) {
        try {
            Target.require(reading.read() != null, "nothing is read");
        } catch (UnusableMessageException e) {
            Target.require(e.getMessage() != null && !e.getMessage().isBlank(), "no reason");
        }
    }
}
