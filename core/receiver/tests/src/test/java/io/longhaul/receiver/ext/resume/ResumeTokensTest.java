// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.resume;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.receiver.Rounds;
import io.longhaul.server.LongRunning;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Results part by part, by resume tokens (SEP-1003). */
public class ResumeTokensTest {

    public static final String KNOWS = "{\"elicitation\":{},\"experimental\":{\"resumeTokens\":{}}}";
    public static final String CALL = Served.call("pages", "{\"name\":\"Ada\"}");

    @AutoClose
    private final Served served = serve(pages());

    private final Served.Handshake client = served.handshake("2025-06-18", KNOWS);
    /** Makes a page so large that it is a part of its own. */
    private static final String FILL = " ".repeat(64 * 1024);

    private static final String MORE = "This is the first part of the output; the work goes on.";

    private final FakeTime time = new FakeTime();

    /** Emits three pages, and ends with how many there were. */
    public static Tool pages() {
        return pages(options -> {});
    }

    private static Tool pages(java.util.function.Consumer<LongRunning> more) {
        return Tool.define("pages")
                .description("Gives pages")
                .input(Tools.Name.class)
                .longRunning(options -> more.accept(options.onCrash(CrashPolicy.RESTART)))
                .handler((who, task) -> {
                    for (int page = task.partialCount() + 1; page <= 3; page++) {
                        task.partial("page " + page + FILL);
                    }
                    return "3 pages for " + who.name();
                });
    }

    private Served serve(Tool... tools) {
        return Served.with(time, tools);
    }

    public static String resume(String token) {
        return resume(CALL, token);
    }

    public static String resume(String call, String token) {
        return Served.and(call, "\"resumeToken\":\"" + token + "\"");
    }

    public static String token(JsonNode response) {
        return response.path("result").path("nextResumeToken").asString();
    }

    public static List<String> texts(JsonNode response) {
        List<String> texts = new ArrayList<>();
        response.path("result")
                .path("content")
                .forEach(item -> texts.add(item.path("text").asString().strip()));
        return texts;
    }

    private static void assertRefused(JsonNode response) {
        assertThat(response.path("error").path("code").asInt()).isEqualTo(-32602);
        assertThat(response.path("error").path("message").asString())
                .isEqualTo("resumeToken is not one that this server gave to you for this very call, or is too old:"
                        + " call again without it to begin anew");
    }

    @Test
    void a_server_with_long_tools_says_that_it_gives_resume_tokens() {
        try (var line = served.connect()) {
            line.send(Served.initialize("2025-06-18", "{}"));
            assertThat(line.next()).contains("\"resumeTokens\":{}");
        }
    }

    @Test
    void each_call_with_the_last_token_gives_the_next_piece_and_the_end_comes_without_one() {
        var first = client.ask("tools/call", CALL);
        assertThat(texts(first)).containsExactly("page 1", MORE);
        var second = client.ask("tools/call", resume(token(first)));
        assertThat(texts(second)).containsExactly("page 2");
        var third = client.ask("tools/call", resume(token(second)));
        assertThat(texts(third)).containsExactly("page 3");
        var last = client.ask("tools/call", resume(token(third)));
        assertThat(texts(last)).containsExactly("3 pages for Ada");
        assertThat(last.path("result").has("nextResumeToken")).isFalse();
    }

    @Test
    void a_token_in_meta_is_answered_with_one_in_meta() {
        var client = served.handshake("2025-11-25", KNOWS);
        var first = token(client.ask("tools/call", CALL));
        var second = client.ask("tools/call", Served.and(CALL, "\"_meta\":{\"resumeToken\":\"" + first + "\"}"));
        assertThat(texts(second)).containsExactly("page 2");
        assertThat(second.path("result").has("nextResumeToken")).isFalse();
        assertThat(second.path("result").path("_meta").path("nextResumeToken").isString())
                .isTrue();
    }

    @Test
    void the_same_token_twice_gives_the_same_part() {
        var first = token(client.ask("tools/call", CALL));
        var once = client.ask("tools/call", resume(first));
        client.ask("tools/call", resume(token(once)));
        assertThat(texts(client.ask("tools/call", resume(first)))).isEqualTo(texts(once));
    }

    @Test
    void a_client_that_says_nothing_waits_for_the_end_as_ever() {
        var whole = served.handshake("2025-06-18").ask("tools/call", CALL);
        assertThat(texts(whole)).containsExactly("3 pages for Ada");
    }

    @Test
    void a_tool_can_answer_everybody_in_parts() {
        try (var served = serve(pages(LongRunning::resumeAlways))) {
            for (var version : List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")) {
                var client = served.handshake(version);
                var first = client.ask("tools/call", CALL);
                assertThat(texts(first)).containsExactly("page 1", MORE);
                assertThat(texts(client.ask("tools/call", resume(token(first)))))
                        .containsExactly("page 2");
            }
        }
    }

    @Test
    void whoever_asks_for_a_task_gets_one_and_no_parts() {
        try (var served = serve(pages(LongRunning::resumeAlways))) {
            var client = served.handshake("2025-11-25", KNOWS);
            var created = client.ask("tools/call", Served.and(CALL, "\"task\":{}"));
            assertThat(created.path("result").path("task").has("taskId")).isTrue();
            assertThat(created.path("result").has("nextResumeToken")).isFalse();
        }
    }

    @Test
    void the_first_result_is_what_a_model_may_be_told_meanwhile_where_the_tool_says_it() {
        try (var served = serve(pages(options -> options.immediateResponse("The pages are being written.")))) {
            var client = served.handshake("2025-06-18", KNOWS);
            var first = client.ask("tools/call", CALL);
            assertThat(texts(first)).containsExactly("The pages are being written.");
            assertThat(texts(client.ask("tools/call", resume(token(first))))).containsExactly("page 1");
        }
    }

    @Test
    void no_content_for_a_model_has_a_token_in_it() {
        var part = client.ask("tools/call", CALL);
        assertThat(texts(part)).as("it says what it is").containsExactly("page 1", MORE);
        int parts = 0;
        for (; part.path("result").has("nextResumeToken"); parts++) {
            var token = token(part);
            assertThat(part.path("result").path("content").toString()).doesNotContain(token);
            part = client.ask("tools/call", resume(token));
            assertThat(part.path("result").path("content").toString()).doesNotContain(token);
        }
        assertThat(parts).isEqualTo(3);
    }

    @Test
    void a_tool_that_is_only_called_as_a_task_can_be_called_in_parts() {
        try (var served = serve(pages(LongRunning::taskOnly))) {
            var client = served.handshake("2025-06-18", KNOWS);
            assertThat(texts(client.ask("tools/call", CALL))).contains("page 1");
        }
    }

    @Test
    void a_quick_tool_answers_as_ever_and_knows_no_token() {
        try (var served = serve(Tools.greet())) {
            var client = served.handshake("2025-06-18", KNOWS);
            var call = Served.call("greet", Tools.NAME);
            var greeted = client.ask("tools/call", call);
            assertThat(greeted.path("result").has("nextResumeToken")).isFalse();
            assertThat(greeted.path("result")
                            .path("structuredContent")
                            .path("text")
                            .asString())
                    .isEqualTo("Hello, Ada!");
            assertRefused(client.ask("tools/call", resume(call, "adef50")));
        }
    }

    @Test
    void tokens_that_are_none_are_too_long_or_of_another_call_or_caller_are_refused() {
        var token = token(client.ask("tools/call", CALL));
        assertRefused(client.ask("tools/call", resume("adef50")));
        assertRefused(client.ask("tools/call", resume(token.substring(0, token.length() - 2) + "AA")));
        assertRefused(client.ask("tools/call", resume(Served.call("pages", "{\"name\":\"Eve\"}"), token)));
        var foreign = served.handshake("2025-06-18", Served.BOB);
        assertRefused(foreign.ask("tools/call", resume(token)));
        var problem = client.ask("tools/call", resume("x".repeat(1025)));
        assertThat(problem.path("error").path("message").asString())
                .isEqualTo("params.resumeToken is longer than the 1024 characters that a token can have");
        var number = client.ask("tools/call", Served.and(CALL, "\"resumeToken\":7"));
        assertThat(number.path("error").path("message").asString()).isEqualTo("params.resumeToken must be a string");
    }

    @Test
    void a_call_is_resumed_with_no_other_params_than_it_had() {
        for (var client : List.of(client, served.handshake("2025-11-25", KNOWS))) {
            var token = token(client.ask("tools/call", CALL));
            for (var more : List.of("\"page\":2", "\"task\":{}", "\"operation\":{\"token\":\"x\"}", "\"x\":null")) {
                var problem = client.ask("tools/call", Served.and(resume(token), more))
                        .path("error");
                assertThat(problem.path("code").asInt()).as(more).isEqualTo(-32602);
                assertThat(problem.path("message").asString()).contains("cannot be given with resumeToken");
                var inMeta = Served.and(CALL, "\"_meta\":{\"resumeToken\":\"" + token + "\"}," + more);
                assertThat(client.ask("tools/call", inMeta).has("error"))
                        .as(more)
                        .isTrue();
            }
            assertThat(texts(client.ask("tools/call", resume(token)))).containsExactly("page 2");
        }
    }

    @Test
    void a_token_goes_on_in_any_session_of_its_owner_also_one_that_did_not_announce_it() {
        var token = token(served.handshake("2025-06-18", KNOWS).ask("tools/call", CALL));
        var other = served.handshake("2025-03-26").ask("tools/call", resume(token));
        assertThat(texts(other)).containsExactly("page 2");
    }

    @Test
    void a_token_goes_on_in_a_process_that_has_never_seen_its_task() {
        String token = token(served.handshake("2025-06-18", KNOWS).ask("tools/call", CALL));
        served.restart();
        var second = client.ask("tools/call", resume(token));
        assertThat(texts(second)).containsExactly("page 2");
        var third = client.ask("tools/call", resume(token(second)));
        assertThat(texts(client.ask("tools/call", resume(token(third))))).containsExactly("3 pages for Ada");
    }

    @Test
    void a_token_goes_on_though_its_tool_is_offered_no_more() {
        var token = token(client.ask("tools/call", CALL));
        served.server().removeTool("pages");
        assertThat(texts(client.ask("tools/call", resume(token)))).containsExactly("page 2");
    }

    @Test
    void a_token_is_refused_when_it_is_too_old() {
        try (var served = serve(pages(options -> options.resumeFor(Duration.ofMinutes(5))))) {
            var client = served.handshake("2025-06-18", KNOWS);
            var token = token(client.ask("tools/call", CALL));
            time.advance(Duration.ofMinutes(5));
            assertRefused(client.ask("tools/call", resume(token)));
        }
    }

    @Test
    void a_call_waits_a_while_for_the_next_part_and_then_says_where_the_work_stands() throws Exception {
        var gate = new CountDownLatch(1);
        try (var served = serve(Tools.waits(gate))) {
            var client = served.handshake("2025-06-18", KNOWS);
            var call = Served.call("waits", "{}");
            var begun = client.send("tools/call", Served.and(call, "\"_meta\":{\"progressToken\":\"p\"}"));
            assertThat(begun.nextMessage()).contains("half");
            var first = after(Duration.ofSeconds(3), begun);
            assertThat(texts(first))
                    .containsExactly("The work has begun and goes on, 1 of 2 so far (half). There is no output yet.");
            var second = after(Duration.ofSeconds(10), client.send("tools/call", resume(call, token(first))));
            assertThat(texts(second))
                    .containsExactly("The work goes on, 1 of 2 so far (half). There is no new output yet.");
            var third = client.send("tools/call", resume(call, token(second)));
            gate.countDown();
            assertThat(texts(Served.json(third.response()))).containsExactly("done");
        }
    }

    @Test
    void a_tool_or_else_the_server_says_how_long_a_call_waits() throws Exception {
        var impatient = Tool.define("impatient")
                .description("Waits")
                .longRunning(options -> options.resumeWait(Duration.ZERO))
                .handler((none, task) -> {
                    new CountDownLatch(1).await();
                    return "never";
                });
        var day = Duration.ofDays(1);
        try (var served = Served.with(server -> server.tool(impatient)
                .tool(Tools.waits(new CountDownLatch(1)))
                .rounds(new Rounds(day, 1, Duration.ofMinutes(2), day))
                .time(time))) {
            var client = served.handshake("2025-06-18", KNOWS);
            var call = Served.call("impatient", "{}");
            var first = client.ask("tools/call", call);
            assertThat(texts(first)).first().asString().endsWith("There is no output yet.");
            assertThat(client.ask("tools/call", resume(call, token(first)))
                            .path("result")
                            .path("_meta")
                            .path("io.longhaul/nothing-new")
                            .asBoolean())
                    .isTrue();
            var patient = Served.call("waits", "{}");
            var begun = after(Duration.ofSeconds(3), client.send("tools/call", patient));
            var waiting = client.send("tools/call", resume(patient, token(begun)));
            assertThat(texts(after(Duration.ofMinutes(2), waiting))).isNotEmpty();
            time.advance(day);
            assertRefused(client.ask("tools/call", resume(patient, token(begun))));
        }
    }

    @Test
    void a_token_outlives_the_key_that_it_was_sealed_with_as_long_as_it_is_good() {
        var hour = Duration.ofHours(1);
        try (var served = Served.with(server -> server.tool(pages())
                .rounds(new Rounds(hour, 1, hour, Duration.ofDays(2)))
                .time(time))) {
            var client = served.handshake("2025-06-18", KNOWS);
            var first = token(client.ask("tools/call", CALL));
            time.advance(Duration.ofMinutes(61));
            var later = served.handshake("2025-06-18", KNOWS);
            var second = later.ask("tools/call", resume(first));
            assertThat(texts(second)).containsExactly("page 2");
            assertThat(token(second).substring(0, 20)).as("the key").isNotEqualTo(first.substring(0, 20));
        }
    }

    @Test
    void progress_goes_to_the_token_of_the_call_that_waits() throws Exception {
        var steps = new Semaphore(1);
        var walks = Tool.define("walks").description("Walks").longRunning().handler((none, task) -> {
            for (int step = 1; step <= 2; step++) {
                steps.acquire();
                task.progress(step, 2, "step " + step);
            }
            steps.acquire();
            return "done";
        });
        try (var served = serve(walks)) {
            var client = served.handshake("2025-06-18", KNOWS);
            var call = Served.call("walks", "{}");
            var reply = client.send("tools/call", Served.and(call, "\"_meta\":{\"progressToken\":\"p\"}"));
            assertThat(reply.nextMessage()).contains("\"progressToken\":\"p\"", "step 1");
            var first = resume(call, token(after(Duration.ofSeconds(3), reply)));
            var second = client.send("tools/call", Served.and(first, "\"_meta\":{\"progressToken\":\"q\"}"));
            steps.release();
            assertThat(second.nextMessage()).contains("\"progressToken\":\"q\"", "step 2");
            steps.release();
            assertThat(texts(Served.json(second.response()))).containsExactly("done");
        }
    }

    /** The response to a call that nothing but time ends. */
    private JsonNode after(Duration wait, MemoryReply reply) throws InterruptedException {
        time.advanceToAlarmIn(wait);
        return Served.json(reply.response());
    }
}
