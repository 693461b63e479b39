// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.awaitStatus;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.run.Rate;
import io.longhaul.engine.run.Retry;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.annotation.McpApprove;
import io.longhaul.server.annotation.McpElicitFirst;
import io.longhaul.server.annotation.McpIcon;
import io.longhaul.server.annotation.McpLongRunning;
import io.longhaul.server.annotation.McpParam;
import io.longhaul.server.annotation.McpParams;
import io.longhaul.server.annotation.McpTool;
import io.longhaul.server.internal.tool.TaskOptions;
import io.longhaul.server.internal.tool.ToolSpec;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tools that are methods of a plain class, from their listing to their results. */
class AnnotatedToolsTest {

    enum Unit {
        CELSIUS,
        FAHRENHEIT
    }

    record Forecast(
            String city, @McpParam(description = "Degrees") double temperature, List<LocalDate> days) {}

    record Search(
            String word,

            @McpParam(defaultValue = "10", minimum = 1, maximum = 50)
            int limit) {}

    static class Weather {

        @McpTool(
                name = "forecast",
                title = "Forecast",
                description = "Tells the weather to come",
                annotations = @McpTool.McpAnnotations(readOnlyHint = true, openWorldHint = false),
                icons = @McpIcon(src = "https://example.com/sun.png", sizes = "48x48", theme = McpIcon.Theme.DARK))
        Forecast forecast(
                @McpParam(description = "A city", minLength = 1) String city,
                @McpParam(defaultValue = "CELSIUS") Unit unit,
                @McpParam(minimum = 1, maximum = 14) @Nullable Integer days,
                Optional<LocalDate> from) {
            var first = from.orElse(LocalDate.EPOCH);
            var all = first.datesUntil(first.plusDays(days == null ? 1 : days)).toList();
            return new Forecast(city, unit == Unit.CELSIUS ? 20 : 68, all);
        }

        @McpTool
        String search(@McpParams Search search) {
            return search.word() + " " + search.limit();
        }

        @McpTool(name = "when")
        String passes(@McpParam(name = "day") LocalDate given) {
            return "on " + given.getDayOfWeek();
        }

        @McpTool
        @McpLongRunning(
                onCrash = CrashPolicy.RESTART,
                timeout = "2h",
                idle = "10m",
                priority = 5,
                rate = "10/m",
                resultText = 50_000,
                keepFor = "PT24H",
                suspendAfter = "5m",
                retries = 3,
                backoff = "10s",
                retryOn = IOException.class,
                taskOnly = true)
        Forecast measure(TaskContext task, String city) throws InterruptedException {
            String name = task.elicit("Who?", Tools.Name.class).content().name();
            return new Forecast(city + " for " + name, 1, List.of());
        }
    }

    static class Asks {

        @McpTool
        @McpLongRunning(elicitFirst = @McpElicitFirst(key = "who", message = "For whom?", form = Tools.Name.class))
        String greets(TaskContext task) throws InterruptedException {
            return "For "
                    + task.elicitedFirst("who", Tools.Name.class).content().name();
        }
    }

    /** One tool is long-running and one is not; both deploy only after a yes. */
    static class Deploys {
        final List<String> deployed = new ArrayList<>();

        @McpTool
        @McpApprove("Deploy {version} to {env}?")
        @McpLongRunning
        String deploy(String version, @McpParam(defaultValue = "staging") String env) {
            deployed.add(version);
            return "deployed";
        }

        @McpTool
        @McpApprove("Deploy {version} now?")
        String deployNow(int version) {
            deployed.add("now " + version);
            return "deployed";
        }
    }

    static class Kinds {

        @McpTool
        int number() {
            return 7;
        }

        @McpTool
        Unit unit() {
            return Unit.CELSIUS;
        }

        @McpTool
        void nothing() {}

        @McpTool
        Map<String, Integer> counts() {
            return Map.of("a", 1);
        }

        @McpTool(output = Tools.Greeting.class)
        ToolResult free() {
            return ToolResult.text("free").withStructuredContent(new Tools.Greeting("hi"));
        }

        @McpTool
        List<Content> pictures() {
            return List.of(Content.text("one"), Content.text("two"));
        }

        @McpTool
        static Optional<Tools.Greeting> perhaps(boolean really) {
            return really ? Optional.of(new Tools.Greeting("hi")) : Optional.empty();
        }

        @McpTool
        String refuses() {
            throw new ToolException("not today");
        }
    }

    static class MoreKinds extends Kinds {

        @Override
        @McpTool(description = "Another number")
        int number() {
            return 8;
        }
    }

    @AutoClose
    private final Served served = Served.with(server -> server.toolsOf(new Weather(), new MoreKinds()));

    private final Served.Handshake client = served.handshake("2025-11-25");

    @Test
    void tools_are_listed_by_name_with_all_that_is_said_of_them() {
        var tools = client.ask("tools/list", "{}").path("result").path("tools");
        assertThat(tools.findValuesAsString("name")).startsWith("forecast", "measure", "search", "when", "counts");
        assertThat(tools.path(0)).isEqualTo(Served.json("""
            {"name":"forecast","title":"Forecast","description":"Tells the weather to come",
             "annotations":{"readOnlyHint":true,"openWorldHint":false},
             "icons":[{"src":"https://example.com/sun.png","sizes":["48x48"],"theme":"dark"}],
             "inputSchema":{"type":"object","properties":{
               "city":{"type":"string","description":"A city","minLength":1},
               "unit":{"type":"string","enum":["CELSIUS","FAHRENHEIT"],"default":"CELSIUS"},
               "days":{"type":"integer","minimum":1,"maximum":14},
               "from":{"type":"string","format":"date"}},"required":["city"]},
             "outputSchema":{"type":"object","properties":{
               "city":{"type":"string"},"temperature":{"type":"number","description":"Degrees"},
               "days":{"type":"array","items":{"type":"string","format":"date"}}},
               "required":["city","temperature","days"]}}\
            """));
    }

    @Test
    void arguments_are_bound_to_parameters_and_a_record_is_structured_content() {
        var result = call("forecast", "{\"city\":\"Oslo\",\"unit\":\"FAHRENHEIT\",\"days\":2,\"from\":\"2000-01-01\"}");
        assertThat(result.path("structuredContent").toString())
                .isEqualTo("{\"city\":\"Oslo\",\"temperature\":68.0,\"days\":[\"2000-01-01\",\"2000-01-02\"]}");
    }

    @Test
    void what_is_absent_is_its_default_or_null_or_empty() {
        var result = call("forecast", "{\"city\":\"Oslo\"}");
        assertThat(result.path("structuredContent").toString())
                .isEqualTo("{\"city\":\"Oslo\",\"temperature\":20.0,\"days\":[\"1970-01-01\"]}");
    }

    @Test
    void a_null_for_what_is_optional_says_that_it_is_absent() {
        var nulls = call("forecast", "{\"city\":\"Oslo\",\"unit\":null,\"days\":null,\"from\":null}");
        assertThat(nulls).isEqualTo(call("forecast", "{\"city\":\"Oslo\"}"));
        assertThat(text(call("search", "{\"word\":\"x\",\"limit\":null}"))).isEqualTo("x 10");
        assertThat(call("forecast", "{\"city\":null}").path("isError").asBoolean())
                .isTrue();
    }

    @Test
    void limits_are_checked_before_the_method_is_called() {
        assertThat(text(call("forecast", "{\"city\":\"\",\"days\":15}")))
                .contains("city")
                .contains("days");
        assertThat(text(call("search", "{\"word\":\"x\",\"limit\":51}"))).contains("limit");
    }

    @Test
    void all_arguments_may_be_one_record() {
        assertThat(text(call("search", "{\"word\":\"x\"}"))).isEqualTo("x 10");
    }

    @Test
    void an_argument_that_cannot_be_bound_is_told_to_the_model_by_its_name() {
        assertThat(text(call("when", "{\"day\":\"2000-01-01\"}"))).isEqualTo("on SATURDAY");
        var result = call("when", "{\"day\":\"tomorrow\"}");
        assertThat(result.path("isError").asBoolean()).isTrue();
        assertThat(text(result)).isEqualTo("The argument 'day' cannot be used: it is no LocalDate");
    }

    @Test
    void one_value_is_a_text_and_what_holds_several_is_structured() {
        assertThat(text(call("number", "{}"))).isEqualTo("8");
        assertThat(text(call("unit", "{}"))).isEqualTo("CELSIUS");
        assertThat(call("nothing", "{}").path("content").isEmpty()).isTrue();
        assertThat(call("counts", "{}").path("structuredContent").toString()).isEqualTo("{\"a\":1}");
        assertThat(call("pictures", "{}").path("content").size()).isEqualTo(2);
        assertThat(call("free", "{}").path("structuredContent").path("text").asString())
                .isEqualTo("hi");
        assertThat(call("perhaps", "{\"really\":true}").has("structuredContent"))
                .isTrue();
        assertThat(call("perhaps", "{\"really\":false}").has("structuredContent"))
                .isFalse();
    }

    @Test
    void what_a_method_throws_is_what_its_tool_throws() {
        var result = call("refuses", "{}");
        assertThat(result.path("isError").asBoolean()).isTrue();
        assertThat(text(result)).isEqualTo("not today");
    }

    @Test
    void a_long_running_method_is_a_task_with_its_context() throws Exception {
        var stateless = served.stateless(Served.TASKS);
        var created = stateless.ask("tools/call", Served.call("measure", "{\"city\":\"Oslo\"}"));
        String id = created.path("result").path("taskId").asString();
        var state = awaitStatus(stateless, id, "input_required");
        String key = state.path("inputRequests").propertyNames().iterator().next();
        stateless.ask(
                "tasks/update",
                "{\"taskId\":\"" + id + "\",\"inputResponses\":{\"" + key
                        + "\":{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}}}");
        var ended = awaitStatus(stateless, id, "completed").path("result");
        assertThat(ended.path("structuredContent").path("city").asString()).isEqualTo("Oslo for Ada");
    }

    @Test
    void a_method_can_have_a_question_answered_before_its_work() {
        served.server().addTool(Tool.allOf(new Asks()).getFirst());
        var stateless = served.stateless(Served.ELICITS);
        String call = Served.call("greets", "{}");
        var asked = stateless.ask("tools/call", call).path("result");
        assertThat(asked.path("resultType").asString()).isEqualTo("input_required");
        assertThat(asked.at("/inputRequests/who/params/message").asString()).isEqualTo("For whom?");
        var answers = ",\"inputResponses\":{\"who\":{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}}"
                + ",\"requestState\":" + asked.path("requestState");
        var again = call.substring(0, call.length() - 1) + answers + "}";
        assertThat(text(stateless.ask("tools/call", again).path("result"))).isEqualTo("For Ada");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", "2025-11-25"})
    void a_method_is_called_only_after_a_yes(String version) {
        var deploys = new Deploys();
        Tool.allOf(deploys).forEach(served.server()::addTool);
        var asked = served.handshake(version, "{\"elicitation\":{}}");
        var declined = asked.send("tools/call", Served.call("deploy", "{\"version\":\"1\"}"));
        var question = Served.question(declined);
        assertThat(question.toString()).contains("Deploy 1 to staging?");
        asked.answer(question, "{\"action\":\"decline\"}");
        assertThat(text(HandOverParts.result(declined)))
                .isEqualTo("The question \"Deploy 1 to staging?\" was declined, so that the call has ended.");
        var dismissed = asked.send("tools/call", Served.call("deployNow", "{\"version\":2}"));
        asked.answer(Served.question(dismissed), "{\"action\":\"cancel\"}");
        var result = HandOverParts.result(dismissed);
        assertThat(text(result)).contains("\"Deploy 2 now?\" was dismissed without an answer");
        assertThat(result.path("isError").booleanValue()).isTrue();
        assertThat(result.at("/_meta/io.longhaul~1declined").booleanValue()).isTrue();
        assertThat(deploys.deployed).isEmpty();
        var accepted = asked.send("tools/call", Served.call("deployNow", "{\"version\":3}"));
        asked.answer(Served.question(accepted), "{\"action\":\"accept\"}");
        assertThat(text(HandOverParts.result(accepted))).isEqualTo("deployed");
        assertThat(deploys.deployed).containsExactly("now 3");
    }

    @Test
    void options_of_long_running_methods_are_those_of_the_builder() {
        var tool = Tool.allOf(new Weather()).get(1);
        assertThat(tool.name()).isEqualTo("measure");
        var options = ((ToolSpec.Lasting) tool.spec.calls()).options();
        assertThat(options.taskOnly()).isTrue();
        assertThat(options.told().longest()).isEqualTo(50_000);
        assertThat(options.running())
                .isEqualTo(new TaskOptions.Running(
                        Duration.ofHours(24),
                        CrashPolicy.RESTART,
                        new Work.Bounds(
                                Duration.ofHours(2),
                                Duration.ofMinutes(10),
                                Integer.MAX_VALUE,
                                5,
                                new Rate(10, Duration.ofMinutes(1))),
                        Duration.ofMinutes(5),
                        options.running().retries(),
                        List.of()));
        assertThat(options.running().retries().policy()).isEqualTo(new Retry(3, Duration.ofSeconds(10)));
        assertThat(options.running().retries().on().test(new IOException())).isTrue();
        assertThat(options.running().retries().on().test(new IllegalStateException()))
                .isFalse();
    }

    private JsonNode call(String tool, String arguments) {
        return client.ask("tools/call", Served.call(tool, arguments)).path("result");
    }
}
