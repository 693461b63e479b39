// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static io.longhaul.testkit.talk.Messages.json;

import io.longhaul.generations.Truth.End;
import io.longhaul.testkit.talk.Talk;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The operations of SEP-1391: a call is answered at once, and asked about by the token that was chosen or given. */
final class OperationsCaller extends Caller {

    private static final String VERSION = "next";

    private static final String NOT_FOUND = "-32602 \"Failed to retrieve operation: Operation not found\"";

    OperationsCaller(Talk talk) {
        super(talk.open(VERSION, "{'elicitation':{}}"), "tools/call", "token");
    }

    @Override
    public Truth truth() {
        return Truth.ofStates("submitted", "working", "input_required")
                .returns("completed", "completed")
                .says(End.PROTOCOL_ERROR, "failed", failed("out of paper"))
                .says(End.CANCELLED, "canceled", noResult("canceled", ""))
                .says(End.INTERRUPTED, "failed", failed(Works.INTERRUPTED))
                .saysToCancel("nothing", "nothing")
                .saysOfUnknown(NOT_FOUND, "tools/async/status", "tools/async/result")
                .saysToOtherCreation("-32602 \"Failed to start operation: params.operation.token was used before for"
                        + " another operation\"")
                .has("tools/async/status", Verb.READ)
                .has("tools/async/result", Verb.OUTCOME)
                .cannotBe(Cell.PARTIAL_OUTPUT, Truth.NO_PARTS);
    }

    private static String failed(String reason) {
        return "`error` \"" + reason + "\", " + noResult("failed", ": " + reason);
    }

    private static String noResult(String status, String reason) {
        return "-32602 \"Failed to retrieve operation: Operation has no result, its status is '" + status + "'" + reason
                + "\"";
    }

    /** The key of a call is the token of its operation; without one it is given. */
    @Override
    public Ref create(Order order) {
        return created(order, "/operation/token");
    }

    @Override
    ObjectNode params(Order order) {
        var params = json(
                "{'name':'%s','arguments':{},'operation':{'keepAlive':%d},'_meta':{'progressToken':'p'}}",
                order.tool(), order.keep().toSeconds());
        if (order.key() != null) {
            params.withObject("operation").put("token", order.key());
        }
        return params;
    }

    @Override
    List<String> verbNames() {
        return List.of("tools/async/status", "tools/async/result");
    }

    @Override
    JsonNode get(Ref call) {
        return talk.ask("tools/async/status", named(call.id())).path("result");
    }

    /** The draft has no other way to wait than to ask again. */
    @Override
    public Watch watch(Ref call) {
        return () -> poll(call, "completed|failed|canceled|");
    }

    /** The result is a member of the response's own. */
    @Override
    public JsonNode fetch(Ref call) {
        var response = talk.ask("tools/async/result", named(call.id()));
        return response.has("error") ? response : response.path("result");
    }

    @Override
    boolean isOf(Ref call, JsonNode params) {
        return params.path("_operation").path("token").asString("").equals(call.id());
    }

    @Override
    public void answer(Ref call, Question question, ObjectNode result) {
        talk.answer(question.id(), result.set("_operation", named(call.id())));
    }

    @Override
    String senseless() {
        return """
                tools/call {'name':'report','operation':7}
                tools/call {'name':'report','operation':{'token':7}}
                tools/call {'name':'report','operation':{'keepAlive':'long'}}
                tools/call {'name':'report','operation':{'keepAlive':-1}}
                tools/async/status {}
                tools/async/result {'token':7}
                """;
    }
}
