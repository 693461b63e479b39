// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.task.Outcome;
import io.longhaul.fakes.Blocking;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.transport.ServerTransport;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tools that answer at once: their arguments, results, errors and questions. */
class QuickToolsTest {

    private final Tool leaks = Tool.define("leaks").description("Throws").handler((none, task) -> {
        throw new IllegalStateException("secret of the house");
    });
    private final Tool fails = Tool.define("fails").description("Says why").handler((none, task) -> {
        throw new ToolException("The shop is closed.");
    });
    private final Tool chats = Tool.define("chats").description("Asks twice").handler((none, task) -> {
        String first = task.elicit("First?", Tools.Name.class).content().name();
        return first + " and "
                + task.elicit("Second?", Tools.Name.class).content().name();
    });
    private final Tool tells = Tool.define("tells").description("Tells").handler((none, task) -> {
        task.progress(1, 2, "half");
        task.log("debug", "small");
        task.log("error", "big");
        return "told";
    });

    @AutoClose
    private final Served served = Served.with(Tools.greet(), leaks, fails, chats, tells);

    @Test
    void a_record_is_structured_content_and_its_text() {
        var result = served.handshake("2025-11-25")
                .ask("tools/call", Served.call("greet", Tools.NAME))
                .path("result");
        assertThat(result.path("structuredContent").path("text").asString()).isEqualTo("Hello, Ada!");
        assertThat(text(result)).isEqualTo("{\"text\":\"Hello, Ada!\"}");
    }

    @Test
    void bad_arguments_are_an_error_before_2025_11_25_and_a_result_for_the_model_from_then_on() {
        String bad = Served.call("greet", "{\"name\":7}");
        var old = served.handshake("2025-06-18").ask("tools/call", bad);
        assertThat(old.path("error").path("code").asInt()).isEqualTo(-32602);
        assertThat(served.handshake("2025-11-25")
                        .ask("tools/call", bad)
                        .path("result")
                        .path("isError")
                        .asBoolean())
                .isTrue();
        assertThat(served.stateless("{}")
                        .ask("tools/call", bad)
                        .path("result")
                        .path("isError")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void an_unknown_tool_is_invalid_params() {
        var error = served.stateless("{}")
                .ask("tools/call", Served.call("nope", "{}"))
                .path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32602);
    }

    @Test
    void what_a_tool_says_of_its_failure_is_a_result_for_the_model() {
        var reply = served.stateless("{}").ask("tools/call", Served.call("fails", "{}"));
        assertThat(reply.path("result").path("isError").asBoolean()).isTrue();
        assertThat(text(reply.path("result"))).isEqualTo("The shop is closed.");
        assertThat(reply.has("error")).isFalse();
    }

    @Test
    void nothing_of_an_exception_reaches_the_caller() {
        String wants = "\"_meta\":{\"progressToken\":1,\"io.modelcontextprotocol/logLevel\":\"debug\"}";
        var sent = served.stateless("{}").send("tools/call", Served.and(Served.call("leaks", "{}"), wants));
        var messages = sent.messages();
        assertThat(messages).as("no progress and no log line beside it").hasSize(1);
        var reply = Served.json(messages.getLast());
        assertThat(reply.path("error").path("code").asInt()).isEqualTo(-32603);
        assertThat(reply.toString()).doesNotContain("secret").doesNotContain("Exception");
    }

    @ParameterizedTest
    @ValueSource(strings = {Served.ELICITS, "{}"})
    @Timeout(60)
    void a_handler_that_is_interrupted_by_its_own_doing_has_failed_and_its_caller_is_told(String capabilities) {
        var interrupts = Tool.define("interrupts").handler((none, task) -> {
            throw new InterruptedException("an executor of the tool was shut down");
        });
        try (var other = Served.with(interrupts)) {
            var replies = List.of(
                    other.stateless(capabilities).ask("tools/call", Served.call("interrupts", "{}")),
                    other.handshake("2025-11-25", capabilities).ask("tools/call", Served.call("interrupts", "{}")));
            assertThat(replies)
                    .allSatisfy(reply ->
                            assertThat(reply.path("error").path("code").asInt()).isEqualTo(-32603));
        }
    }

    @Test
    void questions_of_2026_07_28_are_asked_in_rounds_while_the_handler_waits() {
        var client = served.stateless(Served.ELICITS);
        String call = Served.call("chats", "{}");
        var first = client.ask("tools/call", call).path("result");
        var second = client.ask("tools/call", answered(call, first, "Ada")).path("result");
        assertThat(second.path("resultType").asString()).isEqualTo("input_required");
        assertThat(second.path("requestState")).isNotEqualTo(first.path("requestState"));
        assertThat(second.path("inputRequests").propertyNames())
                .as("a key is never used again in a call")
                .hasSize(1)
                .doesNotContainAnyElementsOf(first.path("inputRequests").propertyNames());
        var third = client.ask("tools/call", answered(call, second, "Bob"));
        assertThat(text(third.path("result"))).isEqualTo("Ada and Bob");
    }

    @Test
    @Timeout(60)
    void a_handler_that_goes_on_after_a_round_is_interrupted_when_its_client_closes_that_round() {
        var goesOn = new CountDownLatch(1);
        var stopped = new CountDownLatch(1);
        var waits = Tool.define("waits").description("Asks and waits").handler((none, task) -> {
            task.elicit("First?", Tools.Name.class);
            goesOn.countDown();
            try {
                new CountDownLatch(1).await();
            } finally {
                stopped.countDown();
            }
            return "never";
        });
        try (var other = Served.with(waits)) {
            var client = other.stateless(Served.ELICITS);
            String call = Served.call("waits", "{}");
            var first = client.ask("tools/call", call).path("result");
            var second = client.send("tools/call", answered(call, first, "Ada"));
            Blocking.await(goesOn);
            second.leave();
            Blocking.await(stopped);
            assertThat(second.messages()).isEmpty();
        }
    }

    @Test
    void what_a_quick_tool_did_not_ask_is_ignored_beside_its_answers_whatever_its_value() {
        var client = served.stateless(Served.ELICITS);
        String call = Served.call("chats", "{}");
        var first = client.ask("tools/call", call).path("result");
        var answers = answered(call, first, "Ada")
                .replace("\"inputResponses\":{", "\"inputResponses\":{\"text\":\"x\",\"number\":1,\"none\":null,");
        var second = client.ask("tools/call", answers).path("result");
        assertThat(second.path("resultType").asString()).isEqualTo("input_required");
        var third = client.ask("tools/call", answered(call, second, "Bob"));
        assertThat(text(third.path("result"))).isEqualTo("Ada and Bob");
    }

    @Test
    void a_caller_that_cannot_be_asked_gets_the_missing_capability_under_400() {
        var reply = served.stateless("{}").send("tools/call", Served.call("chats", "{}"));
        assertThat(reply.status()).isEqualTo(400);
        var error = Served.json(reply.response()).path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32021);
        assertThat(error.path("data").toString())
                .isEqualTo("{\"requiredCapabilities\":{\"elicitation\":{\"form\":{}}}}");
    }

    @Test
    void progress_needs_a_token_and_log_lines_a_level_that_reaches() {
        var client = served.handshake("2025-11-25");
        client.ask("logging/setLevel", "{\"level\":\"error\"}");
        assertThat(client.send("tools/call", Served.call("tells", "{}")).messages())
                .hasSize(2)
                .first()
                .asString()
                .contains("big");
        var quiet = served.stateless("{}").send("tools/call", Served.call("tells", "{}"));
        assertThat(quiet.messages()).hasSize(1);
        var wants = served.stateless("{}")
                .send("tools/call", Served.and(Served.call("tells", "{}"), "\"_meta\":{\"progressToken\":\"t\"}"));
        var messages = wants.messages();
        assertThat(messages).hasSize(2);
        var progress = Served.json(messages.getFirst());
        assertThat(progress.path("method").asString()).isEqualTo("notifications/progress");
        assertThat(progress.path("params").path("progressToken").asString()).isEqualTo("t");
    }

    @Test
    void bad_definitions_fail_where_they_are_written_and_say_what_to_do() {
        assertThatThrownBy(() -> Tool.define("with space")).hasMessageContaining("with space");
        assertThatThrownBy(() -> Tool.define("t").inputSchema("{\"type\":\"object\",\"$ref\":\"http://x.example/\"}"))
                .hasMessageContaining("tool 't'")
                .hasMessageContaining("leads out");
        for (var schema : List.of("{\"type\":\"string\"}", "{\"type\":[\"object\",\"null\"]}", "null")) {
            assertThatThrownBy(() -> Tool.define("t").inputSchema(schema))
                    .as(schema)
                    .hasMessageContaining("object");
        }
        assertThatThrownBy(() -> McpServer.builder("a", "1").tool(Tools.greet()).tool(Tools.greet()))
                .hasMessageContaining("'greet'");
        var askingFirst = Tool.define("t").longRunning(options -> options.elicitFirst("who", "Who?", Tools.Name.class));
        assertThatThrownBy(() -> askingFirst.backend(run -> new Outcome.Cancelled(null)))
                .hasMessageContaining("'t' asks first, which only a handler can use");
        ServerTransport transport = new MemoryTransport();
        assertThatThrownBy(() -> McpServer.builder("a", "1").tool(Tools.asks()).serve(transport))
                .hasMessageContaining(".store(");
    }

    @Test
    void the_name_of_a_tool_is_1_to_128_letters_digits_and_three_signs() {
        String allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
        assertThatCode(() -> Tool.define(allowed)).doesNotThrowAnyException();
        assertThatCode(() -> Tool.define("x".repeat(128))).doesNotThrowAnyException();
        assertThatThrownBy(() -> Tool.define("x".repeat(129))).hasMessageContaining("128");
        assertThatThrownBy(() -> Tool.define("")).isInstanceOf(IllegalArgumentException.class);
        for (char sign = 0; sign < 0x250; sign++) {
            if (allowed.indexOf(sign) < 0) {
                String name = "a" + sign;
                assertThatThrownBy(() -> Tool.define(name))
                        .as("U+%04X", (int) sign)
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    private static String answered(String call, tools.jackson.databind.JsonNode asked, String name) {
        String key = asked.path("inputRequests").propertyNames().iterator().next();
        return Served.and(
                call,
                "\"inputResponses\":{\"" + key + "\":{\"action\":\"accept\",\"content\":{\"name\":\"" + name
                        + "\"}}},\"requestState\":" + asked.path("requestState"));
    }
}
