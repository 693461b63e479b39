// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static io.longhaul.testkit.talk.Messages.json;

import io.longhaul.generations.Truth.End;
import io.longhaul.testkit.talk.Talk;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The resume tokens of SEP-1003: a first result at once, and the same call with its token gives what comes next. */
class ResumeTokensCaller extends Caller {

    private static final String VERSION = "2025-06-18";
    private static final String ELSEWHERE = "resumeToken is not one that this server gave to you for this very call, or"
            + " is too old: call again without it to begin anew";
    private static final String MORE = "a result with `nextResumeToken`";
    static final String NO_RESPONSE_YET = "no response yet";

    /** Where a client stands with a call: it has the last token, or waits for the response to its last request. */
    record Standing(Order order, String token, int request) {
        boolean waits() {
            return token.isEmpty();
        }
    }

    final Map<String, Standing> standings = new HashMap<>();
    private final Map<String, JsonNode> firsts = new HashMap<>();

    ResumeTokensCaller(Talk talk) {
        super(talk, "tools/call");
    }

    /** A client that has opened a session. */
    static ResumeTokensCaller inSession(Talk talk) {
        return new ResumeTokensCaller(talk.open(VERSION, "{'elicitation':{},'experimental':{'resumeTokens':{}}}"));
    }

    @Override
    public Truth truth() {
        return Truth.ofAnswers(MORE, NO_RESPONSE_YET)
                .says(End.CANCELLED, "", Told.NO_RESPONSE)
                .says(End.CANCELLED_ELSEWHERE, "", "-32603 \"Task was cancelled\"")
                .saysToCancel("nothing", "nothing")
                .saysOfUnknown("-32602 \"" + ELSEWHERE + "\"", "resumeToken", "_meta.resumeToken")
                .saysToOtherCreation(OTHER_CALL);
    }

    /** The id is the first token; or, where the first response is still to come, the id of the request. */
    @Override
    public Ref create(Order order) {
        int request = talk.begin("tools/call", params(order));
        String id = "request " + request;
        if (!Works.WAITING.contains(order.tool())) {
            var first = talk.response(request).orElseThrow();
            id = isOpen(first) ? token(first) : id;
            firsts.put(id, first);
        }
        return standing(new Ref(id, request), order);
    }

    private Ref standing(Ref call, Order order) {
        boolean waits = call.id().startsWith("request ");
        standings.put(call.id(), new Standing(order, waits ? "" : call.id(), call.request()));
        return call;
    }

    static boolean isOpen(JsonNode response) {
        return response.path("result").has("nextResumeToken");
    }

    private static String token(JsonNode response) {
        return response.path("result").path("nextResumeToken").asString();
    }

    @Override
    final ObjectNode params(Order order) {
        return keyed(order, stated(json("{'name':'%s','arguments':{},'_meta':{'progressToken':'p'}}", order.tool())));
    }

    /** The same call, made again: the key belongs to the creation alone. */
    final ObjectNode again(Order order) {
        return params(Order.of(order.tool()));
    }

    /** Calls once more with the last token, and keeps the next one. */
    private JsonNode resume(Ref call) {
        var standing = standings.get(call.id());
        var response = talk.ask("tools/call", again(standing.order()).put("resumeToken", standing.token()));
        if (isOpen(response)) {
            standings.put(call.id(), new Standing(standing.order(), token(response), 0));
        }
        return response;
    }

    @Override
    public String state(Ref call) {
        var standing = standings.get(call.id());
        if (standing.waits()) {
            return talk.isAnswered(standing.request()) ? "a response" : NO_RESPONSE_YET;
        }
        return isOpen(resume(call)) ? MORE : "the last result";
    }

    @Override
    public Watch watch(Ref call) {
        return () -> {
            var standing = standings.get(call.id());
            if (standing.waits()) {
                var last = Optional.ofNullable(firsts.get(call.id())).or(() -> talk.response(standing.request()));
                return new Told("", last.map(Told::outcome).orElse(Told.NO_RESPONSE));
            }
            var response = resume(call);
            while (isOpen(response)) {
                response = resume(call);
            }
            return new Told("", Told.outcome(response));
        };
    }

    /** "Any process": the token is all that there is to know. */
    @Override
    public Ref adopt(Ref call, Order order) {
        return standing(call, order);
    }

    /** Each token is another one, also where it is of the same task. */
    @Override
    public boolean isSame(Ref first, Ref second) {
        return true;
    }

    /** The last token gives the last result as often as one likes. */
    @Override
    public JsonNode fetch(Ref call) {
        return resume(call);
    }

    @Override
    public String progress(Ref call) {
        while (!standings.get(call.id()).waits() && !talk.hasHeard("notifications/progress")) {
            resume(call);
        }
        return Told.progress(talk.hear("notifications/progress", params -> true).path("params"));
    }

    /** The first piece is in the first result, beside a sentence that says so. */
    @Override
    public String part(Ref call) {
        var first = firsts.remove(call.id());
        var response = first == null ? resume(call) : first;
        return response.path("result").path("content").path(0).path("text").asString();
    }

    @Override
    public Map<String, JsonNode> verbs(String id) {
        var said = new LinkedHashMap<String, JsonNode>();
        var order = Order.of("report");
        said.put("resumeToken", talk.ask("tools/call", params(order).put("resumeToken", id)));
        said.put(
                "_meta.resumeToken",
                talk.ask(
                        "tools/call",
                        stated(json("{'name':'report','arguments':{},'_meta':{'resumeToken':'%s'}}", id))));
        return said;
    }

    @Override
    boolean isSenselessOfCall() {
        return true;
    }

    /** The token of a call is good for no other one. */
    @Override
    String senseless() {
        var tokenOfAnother = create(Order.of("report")).id();
        return """
                tools/call {'name':'report','arguments':{},'resumeToken':7}
                tools/call {'name':'report','arguments':{},'resumeToken':'%s'}
                tools/call {'name':'fragile','arguments':{},'resumeToken':'%s'}
                tools/call {'name':7,'arguments':{}}
                """.formatted("x".repeat(10_000), tokenOfAnother);
    }
}
