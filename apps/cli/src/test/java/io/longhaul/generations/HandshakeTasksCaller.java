// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static io.longhaul.testkit.talk.Messages.json;

import io.longhaul.generations.Truth.End;
import io.longhaul.generations.Truth.Kept;
import io.longhaul.testkit.talk.Talk;
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
        return Truth.ofStates("working", "working", "input_required")
                .returns("completed", "failed")
                .failsWithItsError("failed")
                .says(End.CANCELLED, "cancelled", "-32603 \"Task was cancelled\"")
                .saysToCancel(
                        "`cancelled`",
                        "-32602 \"Cannot cancel the task: it is already in terminal status 'completed'\"")
                .saysOfUnknown(Told.NOT_FOUND, "tasks/get", "tasks/result", "tasks/cancel")
                .saysToOtherCreation(OTHER_CALL)
                .has("tasks/get", Verb.READ)
                .has("tasks/result", Verb.WATCH, Verb.ANSWER, Verb.OUTCOME)
                .has("tasks/list", Verb.LIST)
                .has("tasks/cancel", Verb.CANCEL)
                .keeps(Kept.FROM_CREATION);
    }

    @Override
    public Ref create(Order order) {
        return created(order, "/task/taskId");
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
    String senseless() {
        return """
                tools/call {'name':'report','task':7}
                tools/call {'name':'report','task':{'ttl':'long'}}
                tools/call {'name':'report','arguments':[],'task':{}}
                tasks/get {}
                tasks/result {'taskId':7}
                tasks/list {'cursor':'nonsense'}
                """;
    }
}
