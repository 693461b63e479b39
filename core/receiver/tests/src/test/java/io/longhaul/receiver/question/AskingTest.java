// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.question;

import static io.longhaul.server.OneHandlerEveryGenerationTest.awaitStatus;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryReply;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.ElicitUrlRequest;
import io.longhaul.server.Form;
import io.longhaul.server.ModelTool;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolContext;
import io.longhaul.server.ToolHandler;
import io.longhaul.server.Tools;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Every kind of question, put by one handler as a quick tool and as a long one, in every era. */
public class AskingTest {

    private static final String CAN =
            "{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{\"tools\":{}},\"roots\":{}}";
    private static final String WITH_TASKS = Served.and(CAN, "\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}");
    private static final String SAMPLED = "{\"role\":\"assistant\",\"model\":\"m\",\"stopReason\":\"endTurn\","
            + "\"content\":{\"type\":\"text\",\"text\":\"Paris\"}}";
    private static final String ROOTS = "{\"roots\":[{\"uri\":\"file:///work\",\"name\":\"Work\"}]}";
    private static final String SIZE = "{\"action\":\"accept\",\"content\":{\"size\":\"l\"}}";

    private final ToolHandler<JsonNode, ToolContext, Object> handler = (none, task) -> {
        var size = task.elicit(Form.of("Which?")
                .singleSelect("size", field -> field.option("s", "Small").option("l", "Large"))
                .request());
        var capital = task.sample(new CreateMessageRequest("What is the capital of France?", 10));
        var roots = task.listRoots();
        return size.content().path("size").asString() + " " + capital.text() + " "
                + roots.getFirst().uri();
    };
    private final Tool quick = Tool.define("quick").description("Asks").handler(handler);
    private final Tool lasting =
            Tool.define("lasting").description("Asks").longRunning().handler(handler);

    @AutoClose
    private final Served served = Served.with(server -> server.plainHosts(PlainHosts.WAITING), quick, lasting);

    @ParameterizedTest
    @ValueSource(strings = {"quick", "lasting"})
    void a_session_is_asked_by_requests_of_the_server_whose_ids_are_integers(String tool) {
        var client = served.handshake("2025-11-25", CAN);
        var reply = client.send("tools/call", Served.call(tool, "{}"));
        List<String> methods = new ArrayList<>();
        Set<Long> ids = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            var question = Served.json(reply.nextMessage());
            methods.add(question.path("method").asString());
            assertThat(question.path("id").isIntegralNumber())
                    .as("an id that every client can read")
                    .isTrue();
            ids.add(question.path("id").asLong());
            client.answer(question, answer(question)).status();
        }
        assertThat(ids).hasSize(3).allMatch(id -> id > 0 && id < 1L << 53);
        assertThat(methods).containsExactly("elicitation/create", "sampling/createMessage", "roots/list");
        assertThat(Served.resultText(reply)).isEqualTo("l Paris file:///work");
    }

    @ParameterizedTest
    @CsvSource({"2024-11-05,quick", "2024-11-05,lasting", "2025-03-26,quick", "2025-03-26,lasting"})
    void a_session_of_a_version_without_elicitation_is_asked_where_it_declares_that(String version, String tool) {
        var client = served.handshake(version, CAN);
        var reply = client.send("tools/call", Served.call(tool, "{}"));
        for (String method : List.of("elicitation/create", "sampling/createMessage", "roots/list")) {
            var question = Served.json(reply.nextMessage());
            assertThat(question.path("method").asString()).isEqualTo(method);
            client.answer(question, answer(question)).status();
        }
        assertThat(Served.resultText(reply)).isEqualTo("l Paris file:///work");
        var refused =
                served.handshake(version, "{\"sampling\":{},\"roots\":{}}").ask("tools/call", Served.call(tool, "{}"));
        assertThat(refused.path("error").path("message").asString()).contains("did not declare");
    }

    @ParameterizedTest
    @ValueSource(strings = {"quick", "lasting"})
    void a_call_of_2026_07_28_is_asked_in_rounds(String tool) {
        var client = served.stateless(CAN);
        String call = Served.call(tool, "{}");
        JsonNode result = client.ask("tools/call", call).path("result");
        for (String method : List.of("elicitation/create", "sampling/createMessage", "roots/list")) {
            assertThat(result.path("resultType").asString()).isEqualTo("input_required");
            assertThat(result.path("requestState").isString()).isTrue();
            assertThat(result.path("inputRequests"))
                    .singleElement()
                    .satisfies(question ->
                            assertThat(question.path("method").asString()).isEqualTo(method));
            result = client.ask("tools/call", answered(call, result)).path("result");
        }
        assertThat(text(result)).isEqualTo("l Paris file:///work");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void several_choices_are_boxes_to_tick_in_a_version_that_has_no_such_field(boolean isLong) {
        ToolHandler<JsonNode, ToolContext, Object> asks = (none, task) -> task.elicit(Form.of("Which?")
                        .multiSelect(
                                "c",
                                field -> field.title("Colour")
                                        .option("r", "Red")
                                        .option("g", "Green")
                                        .defaultValue("g")
                                        .minItems(1))
                        .string("why", field -> field.optional())
                        .request())
                .content()
                .toString();
        var made = Tool.define("many");
        served.server().addTool((isLong ? made.longRunning() : made).handler(asks));
        var client = served.handshake("2025-06-18", CAN);
        var reply = client.send("tools/call", Served.call("many", "{}"));
        var question = Served.json(reply.nextMessage());
        assertThat(question.path("params").path("requestedSchema")).isEqualTo(Served.json("""
            {"type":"object","properties":{
             "c.r":{"type":"boolean","title":"Colour: Red","default":false},
             "c.g":{"type":"boolean","title":"Colour: Green","default":true},
             "why":{"type":"string"}},"required":[]}\
            """));
        client.answer(question, "{\"action\":\"accept\",\"content\":{\"c.r\":true,\"c.g\":false}}");
        assertThat(Served.resultText(reply)).isEqualTo("{\"c\":[\"r\"]}");
    }

    @Test
    void a_task_of_2026_07_28_is_asked_by_its_input_requests() throws Exception {
        var client = served.stateless(WITH_TASKS);
        String id = client.ask("tools/call", Served.call("lasting", "{}"))
                .path("result")
                .path("taskId")
                .asString();
        for (int i = 0; i < 3; i++) {
            var state = awaitStatus(client, id, "input_required");
            var request = state.path("inputRequests").properties().iterator().next();
            client.ask(
                    "tasks/update",
                    "{\"taskId\":\"" + id + "\",\"inputResponses\":{\"" + request.getKey() + "\":"
                            + answer(request.getValue()) + "}}");
        }
        assertThat(text(awaitStatus(client, id, "completed").path("result"))).isEqualTo("l Paris file:///work");
    }

    @ParameterizedTest
    @ValueSource(strings = {"quick", "lasting"})
    void an_answer_that_the_question_does_not_allow_is_refused_and_can_be_given_again(String tool) {
        var client = served.stateless(CAN);
        String call = Served.call(tool, "{}");
        var first = client.ask("tools/call", call).path("result");
        String good = answered(call, first);
        var error = client.ask("tools/call", good.replace("\"l\"", "\"xl\"")).path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32602);
        assertThat(error.path("message").asString()).contains("size");
        assertThat(client.ask("tools/call", good)
                        .path("result")
                        .path("resultType")
                        .asString())
                .isEqualTo("input_required");
    }

    @ParameterizedTest
    @ValueSource(strings = {"quick", "lasting"})
    void a_caller_is_never_asked_what_it_did_not_declare(String tool) {
        Served.assertRequires(
                served.stateless("{\"sampling\":{}}").ask("tools/call", Served.call(tool, "{}")),
                "elicitation",
                "form");
        var old = served.handshake("2025-11-25", "{\"sampling\":{}}");
        var refused =
                Served.json(old.send("tools/call", Served.call(tool, "{}")).response());
        assertThat(refused.path("error").path("code").asInt()).isEqualTo(-32602);
    }

    /** What a handler asks, by the one thing that the client has to have declared for it. */
    private static final Map<String, ToolHandler<JsonNode, ToolContext, Object>> KINDS = Map.of(
            "form", (none, task) -> task.elicit("Who?", Tools.Name.class).action(),
            "url", (none, task) -> task.elicitUrl(ElicitUrlRequest.of("Log in", "https://x.example/")),
            "sampling",
                    (none, task) ->
                            task.sample(new CreateMessageRequest("On?", 10)).text(),
            "tools",
                    (none, task) -> task.sample(new CreateMessageRequest("On?", 10)
                                    .withTools(
                                            CreateMessageRequest.ToolChoice.AUTO,
                                            ModelTool.of("t", "Does", Tools.Name.class)))
                            .text(),
            "context",
                    (none, task) -> task.sample(new CreateMessageRequest("On?", 10)
                                    .withOptions(new CreateMessageRequest.Options(
                                            null, List.of(), CreateMessageRequest.IncludeContext.THIS_SERVER)))
                            .text(),
            "roots", (none, task) -> task.listRoots().size());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "form|{'elicitation':{'url':{}},'sampling':{'tools':{},'context':{}},'roots':{}}",
                "url|{'elicitation':{'form':{}},'sampling':{'tools':{},'context':{}},'roots':{}}",
                "url|{'elicitation':{},'sampling':{'tools':{},'context':{}},'roots':{}}",
                "sampling|{'elicitation':{'form':{},'url':{}},'roots':{}}",
                "tools|{'elicitation':{'form':{},'url':{}},'sampling':{'context':{}},'roots':{}}",
                "context|{'elicitation':{'form':{},'url':{}},'sampling':{'tools':{}},'roots':{}}",
                "roots|{'elicitation':{'form':{},'url':{}},'sampling':{'tools':{},'context':{}}}"
            })
    void no_kind_of_question_is_asked_of_a_caller_that_declared_every_other_kind(String kind, String others) {
        String declared = others.replace('\'', '"');
        var handler = KINDS.get(kind);
        try (var kinds = Served.with(
                server -> server.plainHosts(PlainHosts.WAITING),
                Tool.define("quick").handler(handler),
                Tool.define("lasting").longRunning().handler(handler))) {
            for (String tool : List.of("quick", "lasting")) {
                String call = Served.call(tool, "{}");
                var refused = kinds.stateless(declared).send("tools/call", call).messages();
                assertThat(refused).as("a refusal alone").hasSize(1);
                assertThat(refused.getFirst()).contains("-32021").contains("\"" + kind + "\":{}");
                var session = kinds.handshake("2025-11-25", declared);
                var side = session.get();
                var said = session.send("tools/call", call).messages();
                assertThat(said).as("a refusal alone").hasSize(1);
                assertThat(said.getFirst()).contains("-32602").contains("did not declare");
                assertThat(side.next().orElseThrow().data()).isEmpty();
                assertThat(side.isQuiet()).isTrue();
                side.leave();
                var all = "{\"elicitation\":{\"form\":{},\"url\":{}},"
                        + "\"sampling\":{\"tools\":{},\"context\":{}},\"roots\":{}}";
                var asked = kinds.stateless(all).ask("tools/call", call).path("result");
                assertThat(asked.path("resultType").asString()).isEqualTo("input_required");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"quick,decline", "quick,cancel", "lasting,decline", "lasting,cancel"})
    void declining_and_cancelling_are_answers_of_their_own(String tool, String action) {
        var handler = KINDS.get("form");
        try (var kinds = Served.with(
                server -> server.plainHosts(PlainHosts.WAITING),
                Tool.define("quick").handler(handler),
                Tool.define("lasting").longRunning().handler(handler))) {
            String call = Served.call(tool, "{}");
            String answer = "{\"action\":\"" + action + "\"}";
            var session = kinds.handshake("2025-11-25", CAN);
            var reply = session.send("tools/call", call);
            session.answer(Served.json(reply.nextMessage()), answer).status();
            assertThat(Served.resultText(reply)).containsIgnoringCase(action);
            var client = kinds.stateless(CAN);
            var response = client.ask("tools/call", call);
            var asked = response.path("result");
            assertThat(asked.has("requestState")).as("%s", response).isTrue();
            var again = answered(call, asked).replace(SIZE, answer);
            assertThat(text(client.ask("tools/call", again).path("result"))).containsIgnoringCase(action);
        }
    }

    @Test
    void the_third_answer_of_a_client_that_does_not_fit_its_question_is_taken_for_an_error_of_the_client() {
        var client = served.handshake("2025-11-25", CAN);
        var reply = client.send("tools/call", Served.call("lasting", "{}"));
        answerBadly(client, reply, 2);
        for (int i = 0; i < 3; i++) {
            var question = Served.json(reply.nextMessage());
            client.answer(question, answer(question)).status();
        }
        assertThat(Served.resultText(reply)).isEqualTo("l Paris file:///work");
        var failing = client.send("tools/call", Served.call("lasting", "{}"));
        answerBadly(client, failing, 3);
        assertThat(failing.response()).contains("action must be accept, decline or cancel");
    }

    private static void answerBadly(Served.Handshake client, MemoryReply call, int times) {
        for (int i = 0; i < times; i++) {
            var question = Served.json(call.nextMessage());
            assertThat(question.path("method").asString()).isEqualTo("elicitation/create");
            client.answer(question, "{\"action\":\"perhaps\"}").status();
        }
    }

    @Test
    void a_handler_whose_question_is_answered_badly_waits_for_a_better_answer_and_is_not_run_again() {
        var runs = new AtomicInteger();
        ToolHandler<JsonNode, ToolContext, Object> counted =
                (none, task) -> runs.incrementAndGet() + " " + KINDS.get("form").handle(none, task);
        try (var kinds = Served.with(Tool.define("quick").handler(counted))) {
            var client = kinds.stateless(CAN);
            String call = Served.call("quick", "{}");
            var asked = client.ask("tools/call", call).path("result");
            String good = answered(call, asked).replace(SIZE, "{\"action\":\"decline\"}");
            String bad = answered(call, asked).replace(SIZE, "{\"action\":\"shrug\"}");
            assertThat(client.ask("tools/call", bad).has("error")).isTrue();
            assertThat(text(client.ask("tools/call", good).path("result"))).isEqualToIgnoringCase("1 decline");
        }
    }

    public static String answer(JsonNode question) {
        return switch (question.path("method").asString()) {
            case "sampling/createMessage" -> SAMPLED;
            case "roots/list" -> ROOTS;
            default -> SIZE;
        };
    }

    /** The call again, with answers to all that was asked. */
    public static String answered(String call, JsonNode asked) {
        List<String> answers = new ArrayList<>();
        asked.path("inputRequests")
                .properties()
                .forEach(request -> answers.add("\"" + request.getKey() + "\":" + answer(request.getValue())));
        return Served.and(
                call,
                "\"inputResponses\":{" + String.join(",", answers) + "},\"requestState\":"
                        + asked.path("requestState"));
    }
}
