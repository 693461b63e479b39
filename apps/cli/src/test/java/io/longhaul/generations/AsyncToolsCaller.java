// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static io.longhaul.testkit.talk.Messages.json;

import io.longhaul.generations.Truth.End;
import io.longhaul.generations.Truth.Kept;
import io.longhaul.testkit.talk.Talk;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The {@code tools/async} draft: a call is accepted, waited for, and joined by others. */
final class AsyncToolsCaller extends Caller {

    private static final String VERSION = "2025-06-18";

    private int calls;

    AsyncToolsCaller(Talk talk) {
        super(talk.open(VERSION, "{'elicitation':{}}"), "tools/async/call", "token");
    }

    @Override
    public Truth truth() {
        return Truth.ofStates("`isPending`", "`isPending`", "`isPending`")
                .returns("", "")
                .says(End.PROTOCOL_ERROR, "", "-32000 \"out of paper\"")
                .says(End.CANCELLED, "", "`isError` \"The call was cancelled\"")
                .says(End.INTERRUPTED, "", "`isError` \"" + Works.INTERRUPTED + "\"")
                .saysToCancel("nothing", "nothing")
                .saysOfUnknown(
                        "`isError` \"Task not found: it does not exist, or its retention is over\"", "tools/async/get")
                .saysOfUnknown(Told.NOT_FOUND, "tools/async/join")
                .saysToOtherCreation("`isError` \"params._meta[\"io.longhaul/creation-key\"] was used before for"
                        + " another call\"")
                .has("tools/async/get", Verb.READ, Verb.ANSWER, Verb.OUTCOME)
                .has("tools/async/join", Verb.WATCH)
                .has("tools/async/cancel", Verb.CANCEL)
                .keeps(Kept.FROM_LEAVING);
    }

    @Override
    public Ref create(Order order) {
        int request = talk.begin("tools/async/call", params(order));
        var accepted = talk.response(request).orElseThrow().path("result");
        if (!accepted.path("accepted").asBoolean()) {
            throw new AssertionError("not accepted: " + accepted);
        }
        return new Ref(accepted.path("token").asString(), request);
    }

    /** What is not accepted has a token as well, under which the reason is told. */
    @Override
    public JsonNode refusal(Order order) {
        var rejected = super.refusal(order).path("result");
        if (rejected.path("accepted").asBoolean(true)) {
            throw new AssertionError("accepted: " + rejected);
        }
        return talk.ask("tools/async/get", named(rejected.path("token").asString()));
    }

    @Override
    ObjectNode params(Order order) {
        return keyed(
                order,
                json(
                        "{'name':'%s','arguments':{},'keepAlive':%d,'_meta':{'progressToken':'p%d'}}",
                        order.tool(), order.keep().toSeconds(), ++calls));
    }

    @Override
    List<String> verbNames() {
        return List.of("tools/async/get", "tools/async/join");
    }

    @Override
    public String state(Ref call) {
        var look =
                talk.ask("tools/async/get", named(call.id()).put("timeout", 0)).path("result");
        return look.path("isPending").asBoolean(false) ? "`isPending`" : "a result";
    }

    @Override
    public Watch watch(Ref call) {
        int waiting = talk.begin("tools/async/get", named(call.id()));
        return () -> new Told("", Told.outcome(talk.response(waiting).orElseThrow()));
    }

    @Override
    public Ref join(Ref call, Order order) {
        int request = talk.begin("tools/async/join", named(call.id()));
        var joined = talk.response(request).orElseThrow().path("result");
        if (!joined.path("token").asString("").equals(call.id())) {
            throw new AssertionError("not joined: " + joined);
        }
        return new Ref(call.id(), request);
    }

    @Override
    public JsonNode fetch(Ref call) {
        return talk.ask("tools/async/get", named(call.id()));
    }

    /** Whoever has called or joined is told that it was cancelled. */
    @Override
    public String cancel(Ref call) {
        boolean isTold = call.request() > 0 && state(call).equals("`isPending`");
        talk.tell("tools/async/cancel", named(call.id()));
        if (isTold) {
            talk.hear(
                    "notifications/cancelled",
                    params -> params.path("requestId").asInt(0) == call.request() && params.has("reason"));
        }
        return "nothing";
    }

    @Override
    public List<String> parts(Ref call) {
        var told = talk.hear("notifications/progress", params -> params.has("resourceUri"));
        return read(told.path("params").path("resourceUri"));
    }

    @Override
    public void leave() {
        talk.leave();
    }

    @Override
    String senseless() {
        return """
                tools/async/call {'arguments':{}}
                tools/async/call {'name':'report','keepAlive':-1}
                tools/async/get {}
                tools/async/get {'token':1.5}
                tools/async/get {'token':'x','timeout':'soon'}
                tools/async/join {'token':'x','keepAlive':'long'}
                """;
    }
}
