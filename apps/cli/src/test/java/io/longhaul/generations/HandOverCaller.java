// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static io.longhaul.testkit.talk.Messages.json;

import io.longhaul.generations.Truth.End;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.testkit.talk.Talk;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A host that knows no tasks, and can neither show forms nor wait for long: it calls tools, and its model goes on with
 * the tools that the answers name.
 */
final class HandOverCaller extends Caller {

    private static final String VERSION = "2025-06-18";
    private static final String NAMED = "a result that names the task";
    private static final String ASKS = "a result with the question";
    private static final Duration HOLD = PlainHosts.DEFAULT.hold();

    /** As long as no other alarm of a server waits. */
    private static final Duration SHORT = HOLD.minusSeconds(1);

    private static final Pattern TASK = Pattern.compile("\"task\":\"([^\"]+)\"");
    private static final Pattern LISTED = Pattern.compile("^- (\\w+): (.*)$", Pattern.MULTILINE);
    private static final Pattern OUTPUT = Pattern.compile("Its last output:\n(.*)\n This is not", Pattern.DOTALL);
    private static final Pattern QUESTION = Pattern.compile("Question: (.*)");

    /** What the calls were answered with. */
    private final Map<String, JsonNode> firsts = new HashMap<>();

    HandOverCaller(Talk talk) {
        super(talk.open(VERSION, "{}"), "tools/call", "task");
    }

    @Override
    public Truth truth() {
        return Truth.ofAnswers(NAMED, ASKS)
                .says(End.CANCELLED, "", "`isError` \"The task was cancelled: there is no result.\"")
                .saysToCancel("\"… is cancelled\"", "\"… had ended before, and was not cancelled\"")
                .saysOfUnknown(
                        "`isError` \"There is no task …: its id is not right, or its time is over. task_list shows the"
                                + " tasks that are there.\"",
                        "task_wait",
                        "task_answer",
                        "task_cancel")
                .saysToOtherCreation(OTHER_CALL)
                .has("task_wait", Verb.READ, Verb.WATCH, Verb.OUTCOME)
                .has("task_answer", Verb.ANSWER)
                .has("task_list", Verb.LIST)
                .has("task_cancel", Verb.CANCEL);
    }

    /** The id is that of the task which the first answer names; or, where that is the last answer, of the request. */
    @Override
    public Ref create(Order order) {
        int request = talk.begin("tools/call", params(order));
        if (Works.GATED.contains(order.tool())) {
            place().passWhenAwaited(HOLD);
        }
        var first = talk.response(request).orElseThrow();
        String id = isLast(first) ? "request " + request : task(first);
        firsts.put(id, first);
        return new Ref(id, request);
    }

    @Override
    ObjectNode params(Order order) {
        return keyed(order, json("{'name':'%s','arguments':{}}", order.tool()));
    }

    private static String text(JsonNode response) {
        return response.at("/result/content/0/text").asString("");
    }

    private static boolean isLast(JsonNode response) {
        return response.at("/result/isError").asBoolean(false)
                || !TASK.matcher(text(response)).find();
    }

    /** The task that is named last: output comes first, and may name tasks of other servers. */
    private static String task(JsonNode response) {
        return TASK.matcher(text(response))
                .results()
                .reduce((before, after) -> after)
                .orElseThrow(() -> new AssertionError("no task is named: " + response))
                .group(1);
    }

    private static boolean asks(JsonNode response) {
        return QUESTION.matcher(text(response)).find();
    }

    private JsonNode call(String tool, ObjectNode arguments) {
        return talk.ask("tools/call", calling(tool, arguments));
    }

    private static ObjectNode calling(String tool, ObjectNode arguments) {
        return json("{'name':'%s'}", tool).set("arguments", arguments);
    }

    /** What a wait says whose time is over before the work is. */
    private JsonNode waitInVain(Ref call) {
        var arguments = named(call.id()).put("seconds", SHORT.toSeconds());
        int request = talk.begin("tools/call", calling("task_wait", arguments));
        place().passWhenAwaited(SHORT);
        return talk.response(request).orElseThrow();
    }

    @Override
    public String state(Ref call) {
        boolean isAsking = firsts.containsKey(call.id()) && asks(firsts.get(call.id()));
        var said = isAsking ? call("task_wait", named(call.id())) : waitInVain(call);
        return asks(said) ? ASKS : isLast(said) ? said.toString() : NAMED;
    }

    /** Hosts send no keys: the same call again, before the result was received, means the same task as well. */
    @Override
    boolean isSame(Ref first, Ref second) {
        String tool = text(firsts.get(first.id())).split(" ", 2)[0];
        var again = create(Order.of(tool));
        return text(firsts.get(again.id())).startsWith("This is the call of ")
                && List.of(first.id(), first.id()).equals(List.of(second.id(), again.id()));
    }

    /** Where an answer is not the last one, a model does what it says. */
    @Override
    public Watch watch(Ref call) {
        if (call.id().startsWith("request ")) {
            return () -> new Told("", Told.outcome(firsts.get(call.id())));
        }
        int waiting = talk.begin("tools/call", calling("task_wait", named(call.id())));
        return () -> {
            var said = talk.response(waiting).orElseThrow();
            while (!isLast(said)) {
                said = fetch(call);
            }
            return new Told("", Told.outcome(said));
        };
    }

    @Override
    public JsonNode fetch(Ref call) {
        return call("task_wait", named(call.id()));
    }

    @Override
    public Question question(Ref call) {
        var said = firsts.containsKey(call.id()) ? firsts.get(call.id()) : fetch(call);
        var question = QUESTION.matcher(text(said));
        if (!question.find()) {
            throw new AssertionError("no question: " + said);
        }
        return new Question(said, question.group(1));
    }

    @Override
    public void answer(Ref call, Question question, ObjectNode result) {
        var arguments = named(call.id()).put("reply", result.path("action").asString());
        if (result.has("content")) {
            arguments.set("content", result.path("content"));
        }
        call("task_answer", arguments);
    }

    @Override
    public String cancel(Ref call) {
        return "\"" + text(call("task_cancel", named(call.id()))).replaceFirst("^\\w+ ([^.]+)\\..*", "… $1") + "\"";
    }

    @Override
    public String progress(Ref call) {
        while (true) {
            var where = Pattern.compile("\\((.*)\\)").matcher(listed().getOrDefault(call.id(), ""));
            if (where.find()) {
                return "\"" + where.group(1) + "\"";
            }
        }
    }

    /** What stands behind each id. */
    private Map<String, String> listed() {
        var lines = new LinkedHashMap<String, String>();
        var line = LISTED.matcher(text(call("task_list", json("{}"))));
        while (line.find()) {
            lines.put(line.group(1), line.group(2));
        }
        return lines;
    }

    @Override
    List<String> list() {
        return List.copyOf(listed().keySet());
    }

    /** The last lines of output are in an answer that is not the last one. */
    @Override
    List<String> parts(Ref call) {
        var output = OUTPUT.matcher(text(waitInVain(call)));
        return output.find() ? output.group(1).lines().toList() : List.of();
    }

    /** The id stands in what is said of it. */
    @Override
    public Map<String, JsonNode> verbs(String id) {
        var said = new LinkedHashMap<String, JsonNode>();
        for (var tool : List.of("task_wait", "task_answer", "task_cancel")) {
            var response = call(tool, named(id)).toString().replace("task " + id, "task …");
            said.put(tool, JsonMapper.shared().readTree(response));
        }
        return said;
    }

    @Override
    String senseless() {
        return """
                tools/call {'name':'task_wait','arguments':7}
                tools/call {'name':'task_wait','arguments':{}}
                tools/call {'name':'task_wait','arguments':{'task':7}}
                tools/call {'name':'task_wait','arguments':{'task':'x','seconds':'soon'}}
                tools/call {'name':'task_answer','arguments':{'task':'x','reply':'perhaps'}}
                tools/call {'name':'task_cancel','arguments':{}}
                tools/call {'name':'report','arguments':[]}
                """;
    }
}
