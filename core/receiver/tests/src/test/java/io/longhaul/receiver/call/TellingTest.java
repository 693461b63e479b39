// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.Blocking;
import io.longhaul.fakes.FakeTime;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.server.OneHandlerEveryGenerationTest;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolContext;
import io.longhaul.server.Tools;
import io.longhaul.testkit.talk.Messages;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What a client is told while a call goes on, and what it is not told. */
class TellingTest {

    private static final String TOKEN = "\"_meta\":{\"progressToken\":\"t\"}";
    private static final String LOGS = "\"_meta\":{\"io.modelcontextprotocol/logLevel\":\"info\"}";

    private final FakeTime time = new FakeTime();
    private final CountDownLatch left = new CountDownLatch(1);
    private final CountDownLatch told = new CountDownLatch(1);
    private final Tool jumps = Tool.define("jumps").description("Goes back").handler((none, task) -> {
        for (double at : new double[] {1, 1, 0.5, Double.NaN, 2, Double.POSITIVE_INFINITY, 3}) {
            task.progress(at, null);
        }
        return "done";
    });
    private final Tool races = Tool.define("races").description("Is in a hurry").handler((none, task) -> {
        IntStream.rangeClosed(1, 1_000).forEach(step -> task.progress(step, 1_000, null));
        return "done";
    });
    private final Tool chatters = Tool.define("chatters").description("Logs").handler((none, task) -> chatter(task));
    private final Tool lasting =
            Tool.define("lasting").description("Logs").longRunning().handler((none, task) -> chatter(task));
    private final Tool slips = Tool.define("slips")
            .description("Goes back")
            .longRunning()
            .handler((none, task) -> {
                for (double at : new double[] {1, 1, 0.5, Double.NaN, 2, 2, 3}) {
                    task.progress(at, 9, "at " + at);
                    time.advance(Duration.ofSeconds(1));
                }
                return "done";
            });
    private final Tool lingers = Tool.define("lingers").description("Lingers").handler((none, task) -> {
        Thread.ofVirtual().start(() -> {
            Blocking.await(left);
            task.progress(1, "late");
            task.log("error", "late");
            told.countDown();
        });
        return "done";
    });
    private final Tool guesses =
            Tool.define("guesses").description("Guesses totals").handler((none, task) -> guess(task));
    private final Tool guessesLong = Tool.define("guesses_long")
            .description("Guesses totals")
            .longRunning()
            .handler((none, task) -> guess(task));
    private final Tool asks = Tool.define("asks").description("Asks").handler(TellingTest::who);
    private final Tool asksLong =
            Tool.define("asks_long").description("Asks").longRunning().handler(TellingTest::who);

    @AutoClose
    private final Served served = Served.with(
            server -> server.time(time).plainHosts(PlainHosts.WAITING),
            jumps,
            races,
            slips,
            chatters,
            lasting,
            lingers,
            guesses,
            guessesLong,
            asks,
            asksLong);

    @Test
    void progress_rises_with_each_notification_whatever_a_quick_tool_says() {
        var messages = messages("jumps", TOKEN);
        assertThat(messages.subList(0, messages.size() - 1))
                .extracting(message -> message.path("params").path("progress").asInt())
                .containsExactly(1, 2, 3);
    }

    @Test
    void progress_rises_with_each_notification_whatever_a_long_tool_says() {
        var messages = messages("slips", TOKEN);
        var told = messages.stream()
                .filter(message -> message.path("method").asString("").equals("notifications/progress"))
                .map(message -> message.path("params").path("progress").asDouble())
                .toList();
        assertThat(told)
                .isSorted()
                .doesNotHaveDuplicates()
                .hasSizeGreaterThanOrEqualTo(3)
                .allMatch(at -> at <= 9);
        assertThat(text(messages.getLast().path("result"))).isEqualTo("done");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", "2025-11-25"})
    void a_total_that_is_no_finite_number_is_not_told_and_harms_neither_the_result_nor_the_history(String version) {
        for (Tool tool : List.of(guesses, guessesLong)) {
            var messages = served.handshake(version)
                    .send("tools/call", Served.and(Served.call(tool.name(), "{}"), TOKEN))
                    .messages();
            assertThat(messages)
                    .filteredOn(text -> text.contains("notifications/progress"))
                    .isNotEmpty()
                    .noneMatch(text -> text.contains("total"));
            assertThat(text(Served.json(messages.getLast()).path("result"))).isEqualTo("done");
        }
        var operator = served.handshake("2025-11-25");
        assertThat(operator.ask("io.longhaul/tasks/history", taskId(operator.onlyTask()))
                        .at("/result/events")
                        .toString())
                .contains("\"progress\":3");
    }

    @Test
    void progress_in_a_hurry_is_told_in_part() {
        assertThat(messages("races", TOKEN)).hasSize(20 + 1);
    }

    @Test
    void what_is_told_at_once_comes_back_with_time_ten_steps_and_twenty_lines_a_second() {
        Tool goesOn = Tool.define("goes_on").handler((none, task) -> {
            for (int second = 0; second < 3; second++) {
                for (int i = 1; i <= 1_000; i++) {
                    task.progress(second * 1_000 + i, null);
                    task.log("info", "second " + second);
                }
                time.advance(Duration.ofSeconds(1));
            }
            return "done";
        });
        try (var served = Served.with(time, goesOn)) {
            String both = TOKEN.replace("}", ",") + LOGS.substring(LOGS.indexOf('{') + 1);
            var messages = served.stateless("{}")
                    .send("tools/call", Served.and(Served.call("goes_on", "{}"), both))
                    .messages();
            assertThat(messages)
                    .filteredOn(text -> text.contains("notifications/progress"))
                    .hasSize(20 + 10 + 10);
            assertThat(messages)
                    .filteredOn(text -> text.contains("\"second 0\""))
                    .hasSize(100);
            assertThat(messages)
                    .filteredOn(text -> text.contains("\"second 1\""))
                    .hasSize(20);
            assertThat(messages)
                    .filteredOn(text -> text.contains("\"second 2\""))
                    .hasSize(20);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"chatters", "lasting"})
    void of_too_many_log_lines_only_the_first_ones_are_told(String tool) {
        var messages = messages(tool, LOGS);
        assertThat(messages).hasSizeBetween(100 + 1, 100 + 2);
        assertThat(messages.get(99).path("params").path("data").asInt()).isEqualTo(100);
        assertThat(text(messages.getLast().path("result"))).isEqualTo("done");
    }

    @ParameterizedTest
    @ValueSource(strings = {"chatters", "lasting"})
    void a_stateless_call_on_the_pipe_of_a_session_is_logged_to_at_its_own_level(String tool) {
        String call = Messages.alone(Served.call(tool, "{}"), "{}");
        try (var client = served.connect()) {
            client.send(OneHandlerEveryGenerationTest.initialize());
            client.next();
            client.send(Served.request(1, "tools/call", call));
            assertThat(client.next()).as("without a level").contains("\"id\":1");
            client.send(Served.request(2, "logging/setLevel", "{\"level\":\"error\"}"));
            client.next();
            client.send(Served.request(3, "tools/call", call.replace("\"_meta\":{", LOGS.replace("}", ","))));
            assertThat(client.next()).as("with its own level").contains("notifications/message");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"warn", "WARNING", "trace", ""})
    void a_level_that_the_protocol_does_not_have_is_refused_where_it_is_given(String level) {
        Tool quick = Tool.define("quick").handler((none, task) -> refused(task, level));
        Tool lasting = Tool.define("lasting").longRunning().handler((none, task) -> refused(task, level));
        try (var both = Served.with(quick, lasting)) {
            for (String tool : List.of("quick", "lasting")) {
                var reply = both.handshake("2025-11-25").send("tools/call", Served.call(tool, "{}"));
                assertThat(Served.resultText(reply))
                        .isEqualTo("'" + level + "' is no level of a log line: use debug, info, notice, warning, error,"
                                + " critical, alert or emergency");
            }
        }
    }

    private static String refused(ToolContext task, String level) {
        try {
            task.log(level, "line");
            return "logged";
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    @Test
    void nothing_is_told_of_a_call_that_was_answered() {
        try (var client = served.connect()) {
            client.send(OneHandlerEveryGenerationTest.initialize());
            client.next();
            client.send(Served.request(1, "tools/call", Served.and(Served.call("lingers", "{}"), TOKEN)));
            assertThat(client.next()).contains("done");
            left.countDown();
            Blocking.await(told);
            Served.assertSaysNothingMore(client);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"asks", "asks_long"})
    void a_question_that_is_not_answered_in_time_is_taken_back(String tool) throws Exception {
        var client = served.handshake("2025-11-25");
        var reply = client.send("tools/call", Served.call(tool, "{}"));
        var question = Served.json(reply.nextMessage());
        time.awaitAlarmWithin(Duration.ofDays(1));
        time.advance(Duration.ofDays(1));
        assertTakenBack(Served.json(reply.nextMessage()), question);
        var end = Served.json(reply.response());
        assertThat(end.path("error").path("code").asInt()).isEqualTo(-32603);
        client.answer(question, "{\"action\":\"cancel\"}").status();
    }

    @Test
    void a_question_of_a_call_that_is_cancelled_is_taken_back() {
        try (var client = served.connect()) {
            client.send(OneHandlerEveryGenerationTest.initialize());
            client.next();
            client.send(Served.request(7, "tools/call", Served.call("asks", "{}")));
            var question = Served.json(client.next());
            client.send(Served.cancelled(7));
            assertTakenBack(Served.json(client.next()), question);
        }
    }

    private static void assertTakenBack(JsonNode message, JsonNode question) {
        assertThat(message.path("method").asString()).isEqualTo("notifications/cancelled");
        assertThat(message.path("params").path("requestId")).isEqualTo(question.path("id"));
    }

    private List<JsonNode> messages(String tool, String meta) {
        return served.stateless("{}").send("tools/call", Served.and(Served.call(tool, "{}"), meta)).messages().stream()
                .map(Served::json)
                .toList();
    }

    private static String chatter(ToolContext task) {
        IntStream.rangeClosed(1, 500).forEach(line -> task.log("info", line));
        return "done";
    }

    private String guess(ToolContext task) {
        task.progress(1, Double.NaN, null);
        time.advance(Duration.ofSeconds(1));
        task.progress(2, Double.POSITIVE_INFINITY, null);
        time.advance(Duration.ofSeconds(1));
        task.progress(3, Double.NEGATIVE_INFINITY, null);
        return "done";
    }

    private static Object who(JsonNode none, ToolContext task) throws InterruptedException {
        return task.elicit("Who?", Tools.Name.class).accepted();
    }
}
