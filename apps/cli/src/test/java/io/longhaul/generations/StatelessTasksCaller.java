// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static io.longhaul.testkit.talk.Messages.json;

import io.longhaul.generations.Truth.End;
import io.longhaul.generations.Truth.Kept;
import io.longhaul.testkit.talk.Talk;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The extension for tasks of 2026-07-28: every request says who sends it, and the server decides what is a task. */
final class StatelessTasksCaller extends Caller {

    private static final Set<String> TERMINAL = Set.of("completed", "failed", "cancelled");

    StatelessTasksCaller(Talk talk) {
        super(talk, "tools/call");
    }

    @Override
    public Truth truth() {
        return Truth.ofStates("working", "working", "input_required")
                .returns("completed", "completed")
                .failsWithItsError("failed")
                .says(End.CANCELLED, "cancelled", Told.NOTHING)
                .saysToCancel("an acknowledgement", "an acknowledgement")
                .saysOfUnknown(Told.NOT_FOUND, "tasks/get", "tasks/update", "tasks/cancel")
                .saysToOtherCreation(OTHER_CALL)
                .has("tasks/get", Verb.READ, Verb.OUTCOME)
                .has("subscriptions/listen", Verb.WATCH)
                .has("tasks/update", Verb.ANSWER)
                .has("tasks/cancel", Verb.CANCEL)
                .keeps(Kept.FROM_END);
    }

    /** Says in which version a request is, and what its sender can do. */
    @Override
    ObjectNode stated(ObjectNode params) {
        return stated(params, "{'elicitation':{},'extensions':{'io.modelcontextprotocol/tasks':{}}}");
    }

    @Override
    public Ref create(Order order) {
        return created(order, "/taskId");
    }

    @Override
    ObjectNode params(Order order) {
        return keyed(order, stated(json("{'name':'%s','arguments':{}}", order.tool())));
    }

    @Override
    List<String> verbNames() {
        return List.of("tasks/get", "tasks/cancel");
    }

    @Override
    JsonNode get(Ref call) {
        return ask("tasks/get", named(call.id())).path("result");
    }

    @Override
    public Watch watch(Ref call) {
        listen(call);
        return () -> {
            awaitTask(call, task -> TERMINAL.contains(task.path("status").asString()));
            var response = fetch(call);
            return new Told(state(call), response.isEmpty() ? Told.NOTHING : Told.outcome(response));
        };
    }

    private void listen(Ref call) {
        talk.begin("subscriptions/listen", stated(json("{'notifications':{'taskIds':['%s']}}", call.id())));
    }

    private JsonNode awaitTask(Ref call, Predicate<JsonNode> which) {
        return talk.hear(
                        "notifications/tasks",
                        task -> task.path("taskId").asString().equals(call.id()) && which.test(task))
                .path("params");
    }

    /** The state holds the result, or the error; an object with one of them, as a response would be, or with none. */
    @Override
    public JsonNode fetch(Ref call) {
        return ((ObjectNode) get(call)).retain("result", "error");
    }

    @Override
    public Question question(Ref call) {
        listen(call);
        var asked = awaitTask(call, task -> task.has("inputRequests")).path("inputRequests");
        return inputRequest(asked);
    }

    @Override
    public void answer(Ref call, Question question, ObjectNode result) {
        var params = named(call.id());
        params.putObject("inputResponses").set(question.id().asString(), result);
        ask("tasks/update", params);
    }

    @Override
    public String cancel(Ref call) {
        var response = ask("tasks/cancel", named(call.id()));
        return response.has("error") ? Told.error(response) : "an acknowledgement";
    }

    @Override
    public String progress(Ref call) {
        listen(call);
        var task = awaitTask(call, one -> one.path("_meta").has("io.longhaul/progress"));
        return "`statusMessage` \"" + task.path("statusMessage").asString() + "\"; "
                + Told.progress(task.path("_meta").path("io.longhaul/progress"));
    }

    @Override
    public Map<String, JsonNode> verbs(String id) {
        var said = super.verbs(id);
        said.put("tasks/update", ask("tasks/update", named(id).set("inputResponses", json("{}"))));
        return said;
    }

    @Override
    String senseless() {
        return """
                tools/call {'name':'report','arguments':[]}
                tasks/get {}
                tasks/cancel {'taskId':7}
                tasks/update {'taskId':'x','inputResponses':7}
                subscriptions/listen {'notifications':{'taskIds':7}}
                """;
    }
}
