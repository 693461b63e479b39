// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.resume;

import static io.longhaul.receiver.ext.resume.ResumeTokensTest.CALL;
import static io.longhaul.receiver.ext.resume.ResumeTokensTest.KNOWS;
import static io.longhaul.receiver.ext.resume.ResumeTokensTest.resume;
import static io.longhaul.receiver.ext.resume.ResumeTokensTest.texts;
import static io.longhaul.receiver.ext.resume.ResumeTokensTest.token;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.server.LongRunning;
import io.longhaul.server.McpException;
import io.longhaul.server.Served;
import io.longhaul.server.TaskContext;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolException;
import io.longhaul.server.ToolHandler;
import io.longhaul.server.Tools;
import io.longhaul.server.annotation.McpLongRunning;
import io.longhaul.server.annotation.McpTool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** How work that is taken part by part ends, asks and is given up (SEP-1003). */
class ResumeTokensEndsTest {

    private static final String WAITS = Served.call("waits", "{}");

    private final FakeTime time = new FakeTime();
    private final CountDownLatch gate = new CountDownLatch(1);

    @AutoClose
    private final Served served = serve(Tools.waits(gate));

    private final Served.Handshake client = served.handshake("2025-11-25", KNOWS);

    private Served serve(Tool... tools) {
        return Served.with(time, tools);
    }

    /** Emits one piece, and then ends as {@code end} says. */
    private static Tool ends(String name, ToolHandler<Object, TaskContext, ?> end) {
        return Tool.define(name).description("Ends").longRunning().handler((none, task) -> {
            task.partial("so far");
            return end.handle(none, task);
        });
    }

    /** Makes the call, and waits until it is half-way and its first part has come. */
    private JsonNode half(Served.Handshake client, String call) throws Exception {
        var begun = client.send("tools/call", Served.and(call, "\"_meta\":{\"progressToken\":1}"));
        assertThat(begun.nextMessage()).contains("half");
        return after(Duration.ofSeconds(3), begun);
    }

    private static JsonNode end(Served.Handshake client, String call) {
        var next = client.ask("tools/call", call);
        for (int parts = 0; next.path("result").has("nextResumeToken"); parts++) {
            assertThat(parts).isLessThan(10);
            next = client.ask("tools/call", resume(call, token(next)));
        }
        return next;
    }

    @Test
    void a_failure_of_the_tool_is_its_result_and_a_protocol_error_is_one() {
        var fails = ends("fails", (none, task) -> {
            throw new ToolException("it did not work");
        });
        var breaks = ends("breaks", (none, task) -> {
            throw new McpException(-32000, "out of paper");
        });
        try (var served = serve(fails, breaks)) {
            var client = served.handshake("2025-06-18", KNOWS);
            var failed = end(client, Served.call("fails", "{}")).path("result");
            assertThat(failed.path("isError").asBoolean()).isTrue();
            assertThat(text(failed)).isEqualTo("it did not work");
            var error = end(client, Served.call("breaks", "{}")).path("error");
            assertThat(error.path("code").asInt()).isEqualTo(-32000);
            assertThat(error.path("message").asString()).isEqualTo("out of paper");
        }
    }

    @Test
    void arguments_that_do_not_fit_are_refused_before_there_is_a_task() {
        try (var served = serve(ResumeTokensTest.pages())) {
            var client = served.handshake("2025-11-25", KNOWS);
            var refused = client.ask("tools/call", Served.call("pages", "{}"));
            assertThat(refused.path("result").path("isError").asBoolean()).isTrue();
            assertThat(refused.path("result").has("nextResumeToken")).isFalse();
        }
    }

    @Test
    void a_question_goes_on_the_stream_of_the_call_that_waits_and_its_answer_ends_the_work() {
        try (var served = serve(Tools.asks())) {
            var client = served.handshake("2025-06-18", KNOWS);
            var reply = client.send("tools/call", Served.call("asks", "{}"));
            var question = Served.json(reply.nextMessage());
            assertThat(question.path("method").asString()).isEqualTo("elicitation/create");
            client.answer(question, "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}");
            assertThat(Served.resultText(reply)).isEqualTo("It is Ada");
        }
    }

    @Test
    void a_question_that_nobody_has_answered_yet_is_told_by_the_part_and_put_again_in_any_session() throws Exception {
        try (var served = serve(Tools.asks())) {
            var call = Served.call("asks", "{}");
            var client = served.handshake("2025-06-18", KNOWS);
            var reply = client.send("tools/call", call);
            var question = Served.question(reply);
            var first = after(Duration.ofSeconds(3), reply);
            assertThat(text(first.path("result")))
                    .isEqualTo("The work waits for an answer to a question. There is no output yet.");
            var same = client.send("tools/call", resume(call, token(first)));
            assertThat(Served.question(same).path("id")).isEqualTo(question.path("id"));
            after(Duration.ofSeconds(10), same);
            var other = served.handshake("2025-06-18", KNOWS);
            var again = other.send("tools/call", resume(call, token(first)));
            var asked = Served.question(again);
            assertThat(asked.path("id")).isEqualTo(question.path("id"));
            other.answer(asked, "{\"action\":\"decline\"}");
            assertThat(Served.resultText(again)).isEqualTo("It is nobody");
        }
    }

    @Test
    void a_call_that_is_cancelled_while_it_waits_cancels_the_work() {
        Tool emits = Tool.define("waits")
                .longRunning(options -> options.immediateResponse("It has begun."))
                .handler((none, task) -> {
                    task.partial("so far");
                    gate.await();
                    return "done";
                });
        try (var served = serve(emits)) {
            var client = served.handshake("2025-11-25", KNOWS);
            var begun = resume(WAITS, token(client.ask("tools/call", WAITS)));
            var part = client.ask("tools/call", begun);
            var waiting = client.send("tools/call", resume(WAITS, token(part)));
            client.post(Served.cancelled(3));
            assertThat(waiting.messages()).isEmpty();
            var again = client.ask("tools/call", begun);
            assertThat(texts(again)).containsExactly("so far");
            assertCancelled(client.ask("tools/call", resume(WAITS, token(again))));
        }
    }

    private static void assertCancelled(JsonNode response) {
        assertThat(response.at("/error/code").asInt()).isEqualTo(-32603);
        assertThat(response.at("/error/message").asString()).isEqualTo("Task was cancelled");
    }

    @Test
    void the_work_goes_on_when_nobody_resumes_it_and_when_the_call_that_waits_loses_its_connection() throws Exception {
        var first = half(client, WAITS);
        client.send("tools/call", resume(WAITS, token(first))).leave();
        gate.countDown();
        assertThat(text(end(client, resume(WAITS, token(first))).path("result")))
                .isEqualTo("done");
    }

    @Test
    void after_a_restart_half_way_the_work_goes_on_where_it_was_and_so_does_the_token() {
        var began = new CountDownLatch(1);
        try (var served = serve(half(began, gate))) {
            var client = served.handshake("2025-06-18", KNOWS);
            String token = token(client.ask("tools/call", CALL));
            served.restart();
            gate.countDown();
            List<String> texts = new ArrayList<>();
            var next = client.ask("tools/call", resume(CALL, token));
            while (next.path("result").has("nextResumeToken")) {
                texts.add(text(next.path("result")));
                next = client.ask("tools/call", resume(CALL, token(next)));
            }
            assertThat(texts).containsExactly("piece 2");
            assertThat(text(next.path("result"))).isEqualTo("both");
            assertThat(token(client.ask("tools/call", CALL)))
                    .as("the session still knows")
                    .isNotEmpty();
        }
    }

    /** Emits one piece, waits, and emits another. */
    private static Tool half(CountDownLatch began, CountDownLatch gate) {
        return Tool.define("pages")
                .description("Gives pages")
                .input(Tools.Name.class)
                .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                .handler((who, task) -> {
                    if (task.partialCount() == 0) {
                        task.partial("piece 1");
                        began.countDown();
                    }
                    gate.await();
                    task.partial("piece 2");
                    return "both";
                });
    }

    @Test
    void a_call_that_is_repeated_with_its_key_begins_again_with_the_first_part_of_the_same_work() {
        try (var served = serve(ResumeTokensTest.pages())) {
            var client = served.handshake("2025-11-25", KNOWS);
            var keyed = Served.and(CALL, "\"_meta\":{\"io.longhaul/creation-key\":\"k\"}");
            var once = client.ask("tools/call", keyed);
            var twice = client.ask("tools/call", keyed);
            assertThat(text(twice.path("result"))).isEqualTo(text(once.path("result")));
            assertThat(client.ask("tasks/list", "{}").path("result").path("tasks"))
                    .hasSize(1);
        }
    }

    @Test
    void the_task_of_a_call_is_seen_and_cancelled_in_other_generations() throws Exception {
        var first = after(Duration.ofSeconds(3), client.send("tools/call", WAITS));
        var task = client.ask("tasks/list", "{}").path("result").path("tasks").path(0);
        var id = "{\"taskId\":" + task.path("taskId") + "}";
        assertThat(served.stateless(Served.TASKS).ask("tasks/get", id).at("/result/status"))
                .isEqualTo(task.path("status"));
        client.ask("tasks/cancel", id);
        assertCancelled(client.ask("tools/call", resume(WAITS, token(first))));
    }

    @Test
    void over_a_lasting_connection_parts_come_as_responses_too() {
        try (var served = serve(ResumeTokensTest.pages());
                var line = served.connect()) {
            line.send(Served.request(
                    1,
                    "initialize",
                    "{\"protocolVersion\":\"2025-03-26\",\"capabilities\":" + KNOWS
                            + ",\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}"));
            line.next();
            line.send(Served.request(2, "tools/call", CALL));
            var first = Served.json(line.next());
            line.send(Served.request(3, "tools/call", resume(token(first))));
            assertThat(texts(Served.json(line.next()))).containsExactly("page 2");
        }
    }

    static class Annotated {
        @McpTool(description = "Gives pages")
        @McpLongRunning(resumeAlways = true, resumeWait = "30s", resumeFor = "2h")
        String pages(TaskContext task) {
            task.partial("page 1");
            return "all";
        }
    }

    @Test
    void annotations_say_the_same_as_the_builder() {
        try (var served = serve(Tool.allOf(new Annotated()).toArray(Tool[]::new))) {
            var client = served.handshake("2025-06-18");
            var call = Served.call("pages", "{}");
            var first = client.ask("tools/call", call);
            assertThat(text(first.path("result"))).isEqualTo("page 1");
            time.advance(Duration.ofHours(2));
            assertThat(client.ask("tools/call", resume(call, token(first)))
                            .path("error")
                            .path("code")
                            .asInt())
                    .isEqualTo(-32602);
        }
    }

    @Test
    void a_tool_that_always_answers_in_parts_has_no_output_schema_and_refuses_nobody() {
        var tool = Tool.define("pages")
                .description("Gives pages")
                .output(Tools.Greeting.class)
                .longRunning(LongRunning::resumeAlways)
                .handler((none, task) -> new Tools.Greeting("hello"));
        assertThatThrownBy(() -> serve(tool))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tool 'pages' always answers part by part");
        var refusing = Tool.define("pages")
                .longRunning(options -> options.resumeAlways().taskOnly())
                .handler((none, task) -> "never");
        assertThatThrownBy(() -> serve(refusing)).hasMessageContaining("leave out one of the two");
        assertThatThrownBy(() -> Tool.define("long").longRunning(options -> options.resumeFor(Duration.ofDays(8))))
                .hasMessageContaining("resumeFor must be a week at most");
        assertThatThrownBy(() -> Tool.define("long").longRunning(options -> options.resumeWait(Duration.ofSeconds(-1))))
                .hasMessageContaining("resumeWait must not be negative");
    }

    @Test
    void no_more_than_a_hundred_calls_of_one_owner_wait_at_once() throws Exception {
        var client = served.handshake("2025-06-18", KNOWS);
        var first = after(Duration.ofSeconds(3), client.send("tools/call", WAITS));
        int others = time.alarms();
        List<MemoryReply> waiting = new ArrayList<>();
        for (int calls = 0; calls < 100; calls++) {
            waiting.add(client.send("tools/call", resume(WAITS, token(first))));
        }
        time.awaitAlarms(others + 100);
        var refused = client.ask("tools/call", resume(WAITS, token(first)));
        assertThat(refused.path("error").path("message").asString())
                .isEqualTo("The limit of 100 calls that wait for the next part is reached:"
                        + " try again when some ended");
        gate.countDown();
        assertThat(waiting)
                .allSatisfy(reply -> assertThat(Served.resultText(reply)).isEqualTo("done"));
    }

    /** The response to a call that nothing but time ends. */
    private JsonNode after(Duration wait, MemoryReply reply) throws InterruptedException {
        time.advanceToAlarmIn(wait);
        return Served.json(reply.response());
    }
}
