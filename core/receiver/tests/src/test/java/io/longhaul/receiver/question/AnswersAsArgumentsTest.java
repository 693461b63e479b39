// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.question;

import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.longhaul.receiver.PlainHosts;
import io.longhaul.server.ElicitRequest;
import io.longhaul.server.Served;
import io.longhaul.server.TaskContext;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import io.longhaul.server.annotation.McpElicitFirst;
import io.longhaul.server.annotation.McpLongRunning;
import io.longhaul.server.annotation.McpTool;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A question is an argument for callers that can neither be asked nor have tasks, and for nobody else. */
@Timeout(60)
class AnswersAsArgumentsTest {

    private static final String ASKS = "{\"elicitation\":{}}";
    private static final String BROUGHT = Served.call("first", "{\"who\":{\"name\":\"Ada\"}}");

    static class First {
        @McpTool
        @McpLongRunning(
                elicitFirst =
                        @McpElicitFirst(key = "who", message = "For whom?", form = Tools.Name.class, asArgument = true))
        String first(TaskContext task) throws InterruptedException {
            return "for "
                    + task.elicitedFirst("who", Tools.Name.class).content().name();
        }
    }

    private static Tool later() {
        var sure = new ElicitRequest(
                "sure", "Really?", "{\"type\":\"object\",\"properties\":{\"yes\":{\"type\":\"boolean\"}}}");
        return Tool.define("later")
                .inputSchema("{\"type\":\"object\",\"properties\":{\"folder\":{\"type\":\"string\"}},"
                        + "\"required\":[\"folder\"],\"additionalProperties\":false}")
                .longRunning(options -> options.elicitAsArgument(sure))
                .handler((arguments, task) ->
                        arguments + " " + task.elicit(sure).content().path("yes"));
    }

    @AutoClose
    private final Served served = Served.with(Tool.allOf(new First()).getFirst(), later());

    /** How clients of one generation ask. */
    private Function<String, Function<String, JsonNode>> client(String generation, String capabilities) {
        return generation.equals("2026-07-28")
                ? method -> params -> served.stateless(capabilities).ask(method, params)
                : handshake(served.handshake(generation, capabilities));
    }

    private static Function<String, Function<String, JsonNode>> handshake(Served.Handshake client) {
        return method -> params -> client.ask(method, params);
    }

    private JsonNode schema(String generation, String capabilities, int place) {
        var listed = client(generation, capabilities).apply("tools/list").apply("{}");
        return listed.at("/result/tools/" + place + "/inputSchema");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"})
    void the_question_is_a_required_argument_for_a_client_that_can_neither_be_asked_nor_have_tasks(String generation) {
        var first = schema(generation, "{}", 0);
        assertThat(first.at("/properties/who/properties/name/type").asString()).isEqualTo("string");
        assertThat(first.at("/properties/who/description").asString())
                .isEqualTo("Ask your user, and never make up an answer: For whom?");
        assertThat(first.path("required").toString()).isEqualTo("[\"who\"]");
        var later = schema(generation, "{}", 1);
        assertThat(later.path("required").toString()).isEqualTo("[\"folder\",\"sure\"]");
        assertThat(later.at("/properties").propertyNames()).containsExactly("folder", "sure");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"})
    void a_call_that_brings_the_answer_is_not_asked(String generation) {
        var client = client(generation, "{}").apply("tools/call");
        assertThat(text(client.apply(BROUGHT).path("result"))).isEqualTo("for Ada");
        var later = client.apply(Served.call("later", "{\"folder\":\"x\",\"sure\":{\"yes\":true}}"));
        assertThat(text(later.path("result"))).isEqualTo("{\"folder\":\"x\"} true");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"})
    void a_call_without_the_answer_is_an_error_for_the_model_that_names_the_argument(String generation) {
        var result = client(generation, "{}")
                .apply("tools/call")
                .apply(Served.call("later", "{\"folder\":\"x\"}"))
                .path("result");
        assertThat(result.path("isError").asBoolean()).isTrue();
        assertThat(text(result))
                .startsWith("Nothing was run: this needs an answer of your user. Ask your user: Really?")
                .contains("the answer as the argument \"sure\", an object");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"})
    void a_null_is_no_answer(String generation) {
        var call = Served.call("later", "{\"folder\":\"x\",\"sure\":null}");
        var result = client(generation, "{}").apply("tools/call").apply(call).path("result");
        assertThat(text(result)).startsWith("Nothing was run: this needs an answer of your user.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", "2025-11-25", "2026-07-28"})
    void a_client_that_can_be_asked_sees_the_tool_as_before(String generation) {
        assertThat(schema(generation, ASKS, 0).has("required")).isFalse();
        assertThat(schema(generation, ASKS, 1).path("required").toString()).isEqualTo("[\"folder\"]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", "2025-11-25", "2026-07-28"})
    void the_model_of_a_client_that_can_be_asked_does_not_answer_for_its_user(String generation) {
        var response = client(generation, ASKS).apply("tools/call").apply(BROUGHT);
        // An error of the tool, or of the request in revisions where a model reads that.
        assertThat(response.at("/result/isError").asBoolean() || response.has("error"))
                .isTrue();
        assertThat(response.toString()).contains("the argument \\\"who\\\": leave it out, and the user is asked");
    }

    @Test
    void a_call_that_wants_a_task_is_given_one_and_the_question_waits_in_it() {
        var created = served.handshake("2025-11-25", "{}")
                .ask("tools/call", "{\"name\":\"later\",\"arguments\":{\"folder\":\"x\"},\"task\":{}}")
                .path("result");
        assertThat(created.at("/task/taskId").asString()).isNotEmpty();
        assertThat(created.has("isError")).isFalse();
    }

    @Test
    void a_client_that_has_tasks_sees_the_tool_as_before() {
        var tasks = "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";
        assertThat(schema("2026-07-28", tasks, 1).path("required").toString()).isEqualTo("[\"folder\"]");
    }

    @Test
    void an_answer_that_does_not_fit_is_told_with_the_argument() {
        var result = served.handshake("2025-11-25", "{}")
                .ask("tools/call", Served.call("first", "{\"who\":{\"name\":7}}"))
                .path("result");
        assertThat(result.path("isError").asBoolean()).isTrue();
        assertThat(text(result)).contains("the argument \"who\": content: ");
    }

    @Test
    void other_answers_are_another_call_and_not_joined_to_the_first() {
        var client = served.handshake("2025-06-18", "{}");
        client.ask("tools/call", BROUGHT);
        var other = client.ask("tools/call", BROUGHT.replace("Ada", "Eve"));
        assertThat(text(other.path("result"))).isEqualTo("for Eve");
    }

    @Test
    void the_argument_is_there_without_companion_tools_too() {
        try (var waiting = Served.with(server -> server.tool(later()).plainHosts(PlainHosts.WAITING))) {
            var listed = waiting.handshake("2025-06-18", "{}").ask("tools/list", "{}");
            assertThat(listed.at("/result/tools/0/inputSchema/required").toString())
                    .isEqualTo("[\"folder\",\"sure\"]");
        }
    }

    @Test
    void an_argument_of_the_same_name_is_refused() {
        var taken = new ElicitRequest("name", "Who?", "{\"type\":\"object\",\"properties\":{}}");
        var tool = Tool.define("taken")
                .input(Tools.Name.class)
                .longRunning(options -> options.elicitAsArgument(taken))
                .handler((who, task) -> "");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Served.with(tool).close())
                .withMessageContaining("has an argument and a question 'name'");
    }

    @Test
    void a_tool_that_is_closed_to_callers_without_tasks_takes_no_answers_as_arguments() {
        var who = new ElicitRequest("who", "Who?", "{\"type\":\"object\",\"properties\":{}}");
        var tool = Tool.define("closed")
                .longRunning(options -> options.taskOnly().elicitAsArgument(who))
                .handler((none, task) -> "");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Served.with(tool).close())
                .withMessageContaining("leave out one of the two");
    }
}
