// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.client.call.CallStart;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.requestor.Timeouts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls whose output comes part by part, by resume tokens (SEP-1003). */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class ResumeTokensTest {

    private final TestTime time = new TestTime();
    private final List<String> parts = new CopyOnWriteArrayList<>();

    private static Transcript script(String... lines) {
        return new Transcript(Scripts.RESUME_TOKENS + String.join("\n", lines));
    }

    private CallOutcome call(Transcript script) throws Exception {
        try (var client =
                Scripts.over(script, time).generation(Generation.SEP_1003).connect()) {
            var call = client.call("pages", NO_ARGUMENTS);
            call.onUpdate(update -> {
                if (update instanceof CallUpdate.Part part) {
                    parts.add(part.result().toString());
                }
            });
            return call.await();
        }
    }

    @Test
    void a_call_is_repeated_with_each_token_until_there_is_none() throws Exception {
        var outcome = call(script(
                "-> tools/call {\"name\":\"pages\",\"arguments\":{}}",
                "<- {\"content\":[{\"type\":\"text\",\"text\":\"1\"}],\"nextResumeToken\":\"a\"}",
                "-> tools/call {\"name\":\"pages\",\"arguments\":{},\"resumeToken\":\"a\"}",
                "<- {\"content\":[{\"type\":\"text\",\"text\":\"2\"}],\"nextResumeToken\":\"b\"}",
                "-> tools/call {\"name\":\"pages\",\"arguments\":{},\"resumeToken\":\"b\"}",
                "<- {\"content\":[{\"type\":\"text\",\"text\":\"all\"}]}"));
        assertThat(parts)
                .containsExactly(
                        "{\"content\":[{\"type\":\"text\",\"text\":\"1\"}]}",
                        "{\"content\":[{\"type\":\"text\",\"text\":\"2\"}]}");
        assertThat(((CallOutcome.ToolResult) outcome).result().toString()).contains("\"all\"");
    }

    @Test
    void a_token_in_meta_goes_back_in_meta_and_is_no_part_of_what_the_caller_gets() throws Exception {
        call(script(
                "-> tools/call",
                "<- {\"content\":[],\"_meta\":{\"nextResumeToken\":\"a\"}}",
                "-> tools/call {\"_meta\":{\"resumeToken\":\"a\"}}",
                "<- {\"content\":[]}"));
        assertThat(parts).containsExactly("{\"content\":[],\"_meta\":{}}");
    }

    @Test
    void a_part_that_brings_nothing_new_is_not_told_and_the_next_call_waits_a_while() throws Exception {
        call(script(
                "-> tools/call",
                "<- {\"content\":[],\"nextResumeToken\":\"a\",\"_meta\":{\"io.longhaul/nothing-new\":true}}",
                "-> tools/call {\"resumeToken\":\"a\"}",
                "<- {\"content\":[]}"));
        assertThat(time.pauses()).anyMatch(pause -> pause.toMillis() >= 1_000);
        assertThat(parts).isEmpty();
    }

    @Test
    void a_call_with_a_token_that_was_lost_on_the_way_is_made_again() throws Exception {
        var outcome = call(script(
                "-> tools/call",
                "<- {\"content\":[],\"nextResumeToken\":\"a\"}",
                "-> tools/call {\"resumeToken\":\"a\"}",
                "<x",
                "-> tools/call {\"resumeToken\":\"a\"}",
                "<- {\"content\":[]}"));
        assertThat(outcome).isInstanceOf(CallOutcome.ToolResult.class);
    }

    @Test
    void a_token_that_the_server_refuses_ends_the_call_with_its_error() throws Exception {
        var outcome = call(script(
                "-> tools/call",
                "<- {\"content\":[],\"nextResumeToken\":\"a\"}",
                "-> tools/call {\"resumeToken\":\"a\"}",
                "<! -32602 TooOld"));
        assertThat(((CallOutcome.ProtocolError) outcome).error().message()).isEqualTo("TooOld");
    }

    @Test
    void a_server_that_knows_no_tokens_gives_the_whole_result_at_once() throws Exception {
        var outcome = call(script("-> tools/call", "<- {\"content\":[]}"));
        assertThat(outcome).isInstanceOf(CallOutcome.ToolResult.class);
        assertThat(parts).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"<- {\"content\":[]}", "<! -32603 Cancelled", "<x"})
    void cancelling_gives_up_the_call_that_waits_however_it_ends_then(String end) throws Exception {
        var script = script(
                "-> tools/call",
                "<- {\"content\":[],\"nextResumeToken\":\"a\"}",
                "-> tools/call {\"resumeToken\":\"a\"}",
                ".. {\"method\":\"notifications/cancelled\"}",
                end,
                "->* notifications/cancelled",
                "<= 202");
        try (var client =
                Scripts.over(script, time).generation(Generation.SEP_1003).connect()) {
            var call = client.call("pages", NO_ARGUMENTS);
            assertThat(Scripts.cancelled(call, script, "{\"params\":{\"resumeToken\":\"a\"}}"))
                    .isInstanceOf(CallOutcome.Cancelled.class);
        }
    }

    @Test
    void a_call_for_a_part_is_given_up_though_its_server_does_not_take_the_cancellation() throws Exception {
        var script = script(
                "-> tools/call",
                "<- {\"content\":[],\"nextResumeToken\":\"a\"}",
                "-> tools/call {\"resumeToken\":\"a\"}",
                "<.",
                "->* notifications/cancelled",
                "<w");
        try (var client =
                Scripts.over(script, time).generation(Generation.SEP_1003).connect()) {
            var call = client.call("pages", NO_ARGUMENTS);
            script.await(JsonTree.read(Json.raw("{\"params\":{\"resumeToken\":\"a\"}}")));
            call.cancel();
            script.await(JsonTree.read(Json.raw("{\"method\":\"notifications/cancelled\"}")));
            var giving = Thread.ofVirtual().start(() -> time.ringOnceSet(CallStart.TO_GIVE_UP));
            time.ringOnceSet(Duration.ofSeconds(3));
            assertThat(call.await()).isInstanceOf(CallOutcome.Cancelled.class);
            giving.join();
            time.ringOnceSet(Timeouts.DEFAULT.request());
        }
    }

    @Test
    void cancelling_while_a_part_is_on_its_way_gives_up_the_call_for_the_next_one() throws Exception {
        var script = script(
                "-> tools/call",
                "<- {\"content\":[],\"nextResumeToken\":\"a\"}",
                "-> tools/call {\"resumeToken\":\"a\"}",
                "<~ {\"id\":\"q1\",\"method\":\"elicitation/create\",\"params\":{\"message\":\"Who?\","
                        + "\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}",
                ".. {\"id\":\"q1\"}",
                "<- {\"content\":[],\"nextResumeToken\":\"b\"}",
                "-> tools/call {\"resumeToken\":\"b\"}",
                ".. {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":4}}",
                "<.",
                "->* notifications/cancelled",
                "<= 202");
        var cancelled = new CompletableFuture<RemoteCall<?>>();
        var cancels = QuestionHandler.NONE.forms(form -> {
            cancelled.join().cancel();
            while (!time.isSet(CallStart.TO_GIVE_UP)) {
                Thread.onSpinWait();
            }
            return new Reply.Declined();
        });
        try (var client = Scripts.over(script, time)
                .generation(Generation.SEP_1003)
                .answers(cancels)
                .connect()) {
            var call = client.call("pages", NO_ARGUMENTS);
            cancelled.complete(call);
            script.await(JsonTree.read(Json.raw("{\"params\":{\"resumeToken\":\"b\"}}")));
            time.ringOnceSet(CallStart.TO_GIVE_UP);
            assertThat(call.await()).isInstanceOf(CallOutcome.Cancelled.class);
        }
    }
}
