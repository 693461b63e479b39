package io.longhaul.generations;

import static io.longhaul.generations.Talk.json;

import io.longhaul.generations.Truth.End;
import io.longhaul.generations.Truth.Kept;
import io.longhaul.generations.Truth.State;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The tasks of 2025-11-25: a call with {@code params.task}, and {@code tasks/*} by the id that it was given. */
final class HandshakeTasksCaller extends RelatedTasksCaller {

    HandshakeTasksCaller(Talk talk) {
        super(talk, "2025-11-25", "io.modelcontextprotocol/related-task");
    }

    @Override
    public Truth truth() {
        return new Truth()
                .says(State.QUEUED, "working")
                .says(State.RUNNING, "working")
                .says(State.ASKING, "input_required")
                .says(End.RESULT, "completed", "\"done\"")
                .says(End.TOOL_ERROR, "failed", "`isError` \"it did not work\"")
                .says(End.PROTOCOL_ERROR, "failed", "-32000 \"out of paper\"")
                .says(End.CANCELLED, "cancelled", "-32603 \"Task was cancelled\"")
                .says(End.INTERRUPTED, "failed", "-32603 \"" + Works.INTERRUPTED + "\"")
                .saysToCancel(
                        "`cancelled`",
                        "-32602 \"Cannot cancel the task: it is already in terminal status 'completed'\"")
                .saysOfUnknown("tasks/get", Told.NOT_FOUND)
                .saysOfUnknown("tasks/result", Told.NOT_FOUND)
                .saysOfUnknown("tasks/cancel", Told.NOT_FOUND)
                .saysToOtherCreation(OTHER_CALL)
                .has(Verb.READ, "tasks/get")
                .has(Verb.WATCH, "tasks/result")
                .has(Verb.ANSWER, "tasks/result")
                .has(Verb.LIST, "tasks/list")
                .has(Verb.CANCEL, "tasks/cancel")
                .has(Verb.OUTCOME, "tasks/result")
                .keeps(Kept.FROM_CREATION);
    }

    @Override
    public Ref create(Order order) {
        int request = talk.begin("tools/call", params(order));
        var task = talk.response(request).orElseThrow().path("result").path("task");
        return new Ref(task.path("taskId").asString(), request);
    }

    @Override
    ObjectNode params(Order order) {
        return keyed(
                order,
                json(
                        "{'name':'%s','arguments':{},'task':{'ttl':%d},'_meta':{'progressToken':'of %1$s'}}",
                        order.tool(), order.keep().toMillis()));
    }

    @Override
    List<String> verbNames() {
        return List.of("tasks/get", "tasks/result", "tasks/cancel");
    }

    @Override
    JsonNode get(Ref call) {
        return talk.ask("tasks/get", named(call.id())).path("result");
    }

    @Override
    public Watch watch(Ref call) {
        int waiting = talk.begin("tasks/result", named(call.id()));
        return () -> {
            var response = checked(call, talk.response(waiting).orElseThrow());
            return new Told(state(call), Told.outcome(response));
        };
    }

    /** A question comes on the stream of a waiting {@code tasks/result}. */
    @Override
    Question question(Ref call) {
        talk.begin("tasks/result", named(call.id()));
        return super.question(call);
    }

    @Override
    public JsonNode fetch(Ref call) {
        return talk.ask("tasks/result", named(call.id()));
    }

    @Override
    public String cancel(Ref call) {
        var response = talk.ask("tasks/cancel", named(call.id()));
        return response.has("error")
                ? Told.error(response)
                : "`" + response.path("result").path("status").asString() + "`";
    }

    @Override
    public List<JsonNode> malformed() {
        return List.of(
                talk.ask("tools/call", json("{'name':'report','task':7}")),
                talk.ask("tools/call", json("{'name':'report','task':{'ttl':'long'}}")),
                talk.ask("tools/call", json("{'name':'report','arguments':[],'task':{}}")),
                talk.ask("tasks/get", json("{}")),
                talk.ask("tasks/result", json("{'taskId':7}")),
                talk.ask("tasks/list", json("{'cursor':'nonsense'}")));
    }
}
