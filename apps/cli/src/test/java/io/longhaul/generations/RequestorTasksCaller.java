// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static io.longhaul.testkit.talk.Messages.json;

import io.longhaul.generations.Truth.End;
import io.longhaul.testkit.talk.Talk;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The tasks of SEP-1686: a request under an id that its requestor chose, which is answered in the end all the same. */
final class RequestorTasksCaller extends RelatedTasksCaller {

    private static final String TASK = "modelcontextprotocol.io/task";
    private static final String RELATED = "modelcontextprotocol.io/related-task";

    private int calls;

    RequestorTasksCaller(Talk talk) {
        super(talk, "2025-06-18", RELATED);
    }

    @Override
    public Truth truth() {
        return Truth.ofStates("submitted", "working", "input_required")
                .returns("completed", "completed")
                .says(End.PROTOCOL_ERROR, "failed", "`error` \"out of paper\", " + noResult("failed"))
                .says(End.CANCELLED, "cancelled", noResult("cancelled"))
                .says(End.INTERRUPTED, "failed", "`error` \"" + Works.INTERRUPTED + "\", " + noResult("failed"))
                .saysToCancel("nothing", "nothing")
                .saysOfUnknown("-32602 \"Failed to retrieve task: Task not found\"", "tasks/get")
                .saysOfUnknown("-32602 \"Failed to retrieve result: Task not found\"", "tasks/result")
                .saysOfUnknown("-32602 \"Failed to delete task: Task not found\"", "tasks/delete")
                .saysToOtherCreation("-32602 \"Task ID already exists: k\"")
                .has("tasks/get", Verb.READ)
                .has("tasks/list", Verb.LIST)
                .has("tasks/result", Verb.OUTCOME);
    }

    private static String noResult(String status) {
        return "-32602 \"Cannot retrieve result: Task status is '" + status + "', not 'completed'\"";
    }

    /** The key of a call is the id of its task. */
    @Override
    public Ref create(Order order) {
        String id = order.key() == null ? "task-" + ++calls : order.key();
        var call = new Ref(id, talk.begin("tools/call", params(order, id)));
        talk.hear("notifications/tasks/created", params -> isOf(call, params));
        return call;
    }

    @Override
    ObjectNode params(Order order) {
        return params(order, String.valueOf(order.key()));
    }

    private static ObjectNode params(Order order, String id) {
        var params = json("{'name':'%s','arguments':{},'_meta':{'progressToken':'of %s'}}", order.tool(), id);
        params.withObject("_meta")
                .set(
                        TASK,
                        json("{'taskId':'%s','keepAlive':%d}", id, order.keep().toMillis()));
        return params;
    }

    @Override
    ObjectNode named(String id) {
        return json("{'taskId':'%1$s','_meta':{'%2$s':{'taskId':'%1$s'}}}", id, RELATED);
    }

    @Override
    List<String> verbNames() {
        return List.of("tasks/get", "tasks/result", "tasks/delete");
    }

    @Override
    JsonNode get(Ref call) {
        return checked(call, talk.ask("tasks/get", named(call.id()))).path("result");
    }

    /** The response to the request ends the wait; a session that has not made it asks again and again. */
    @Override
    public Watch watch(Ref call) {
        return () -> {
            if (call.request() > 0) {
                talk.response(call.request());
            }
            return poll(call, "completed|failed|cancelled");
        };
    }

    @Override
    public JsonNode fetch(Ref call) {
        return checked(call, talk.ask("tasks/result", named(call.id())));
    }

    @Override
    String senseless() {
        return """
                tools/call {'name':'report','_meta':{'modelcontextprotocol.io/task':7}}
                tools/call {'name':'report','_meta':{'modelcontextprotocol.io/task':{}}}
                tools/call {'name':'report','_meta':{'modelcontextprotocol.io/task':{'taskId':7}}}
                tools/call {'name':'report','_meta':{'modelcontextprotocol.io/task':{'taskId':'x','keepAlive':'long'}}}
                tasks/get {}
                tasks/result {'taskId':7}
                tasks/delete {}
                tasks/list {'cursor':'nonsense'}
                """;
    }
}
