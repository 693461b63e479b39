// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.client.call.CallStart;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Resume tokens of servers whose client has not asked for parts, in every generation. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class FollowedPartsTest {

    private static final String SESSION = """
            -> initialize
            <- {"protocolVersion":"%s","capabilities":{"tools":{}},"serverInfo":{"name":"script","version":"1"}}
            -> notifications/initialized
            <= 202
            """;
    private static final String STATELESS = """
            -> server/discover
            <- {"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}
            """;
    private static final String TOOLS = """
            ->* tools/list
            <- {"resultType":"complete","tools":[{"name":"pages","inputSchema":{"type":"object"}}]}
            ->* notifications/cancelled
            <= 202
            """;
    private static final String ASKED = """
            <- {"resultType":"input_required","requestState":"s","inputRequests":{"who":{"method":"elicitation/create",\
            "params":{"message":"Who?","requestedSchema":{}}}}}
            """;
    private static final Map<String, String> ARGUMENTS = Map.of("query", "all");

    private final TestTime time = new TestTime();
    private final List<String> parts = new CopyOnWriteArrayList<>();

    private static String opening(Generation generation) {
        return (generation == Generation.V2026_07_28 ? STATELESS : SESSION.formatted(generation.version())) + TOOLS;
    }

    private static String page(String text, String more) {
        return "<- {\"content\":[{\"type\":\"text\",\"text\":\"" + text + "\"}]" + more + "}\n";
    }

    private static String next(String token) {
        return ",\"nextResumeToken\":\"" + token + "\"";
    }

    private static String with(String token) {
        return "-> tools/call {\"name\":\"pages\",\"arguments\":{\"query\":\"all\"},\"resumeToken\":\"" + token
                + "\"}\n";
    }

    private McpClient connect(Transcript script, Generation generation) {
        return Scripts.over(script, time).generation(generation).connect();
    }

    private static String text(CallOutcome outcome) {
        assertThat(outcome).isInstanceOf(CallOutcome.ToolResult.class);
        return JsonTree.read(((CallOutcome.ToolResult) outcome).result()).toString();
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void the_tokens_of_a_result_are_followed_to_the_last_page(Generation generation) throws Exception {
        var script = new Transcript(opening(generation)
                + "-> tools/call {\"name\":\"pages\",\"arguments\":{\"query\":\"all\"}}\n"
                + page("one", next("a"))
                + with("a")
                + page("two", ",\"_meta\":{\"nextResumeToken\":\"b\"}")
                + "-> tools/call {\"name\":\"pages\",\"_meta\":{\"resumeToken\":\"b\"}}\n"
                + page("at work", next("c") + ",\"_meta\":{\"io.longhaul/nothing-new\":true}")
                + with("c")
                + page("three", ""));
        try (var client = connect(script, generation)) {
            var call = client.call("pages", ARGUMENTS);
            call.onUpdate(update -> {
                if (update instanceof CallUpdate.Part(var result)) {
                    parts.add(result.toString());
                }
            });
            assertThat(text(call.await())).contains("three").doesNotContain("Token");
        }
        assertThat(parts)
                .satisfiesExactly(
                        one -> assertThat(one).contains("one").doesNotContain("Token"),
                        two -> assertThat(two).contains("two").doesNotContain("Token"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Generation.class,
            names = {"V2026_07_28", "V2025_11_25", "V2025_06_18", "SEP_1686"})
    void a_call_that_has_given_a_part_is_cancelled_by_the_call_that_waits(Generation generation) throws Exception {
        var script =
                new Transcript(opening(generation) + "-> tools/call\n" + page("one", next("a")) + with("a") + "<.\n");
        try (var client = connect(script, generation)) {
            var call = client.call("pages", ARGUMENTS);
            script.await(JsonTree.read(Json.raw("{\"params\":{\"resumeToken\":\"a\"}}")));
            call.cancel();
            time.ringOnceSet(CallStart.TO_GIVE_UP);
            assertThat(call.await()).isInstanceOf(CallOutcome.Cancelled.class);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Generation.class,
            names = {"V2026_07_28", "V2025_11_25", "V2024_11_05", "SEP_1003"})
    void another_process_goes_on_from_the_printed_reference(Generation generation) throws Exception {
        var first =
                new Transcript(opening(generation) + "-> tools/call\n" + page("one", next("a")) + with("a") + "<.\n");
        String reference;
        try (var client = connect(first, generation)) {
            var call = client.call("pages", ARGUMENTS);
            reference = call.reference().orElseThrow().toString();
            first.await(JsonTree.read(Json.raw("{\"params\":{\"resumeToken\":\"a\"}}")));
        }
        var parsed = TaskReference.parse(reference);
        assertThat(parsed.idForVerbs()).isEmpty();
        var second = new Transcript(opening(generation) + with("a") + page("two", ""));
        try (var client = connect(second, generation)) {
            assertThat(text(client.attach(parsed).await())).contains("two");
        }
    }

    @Test
    void a_kept_call_goes_on_from_its_last_token() throws Exception {
        var kept = new HandlesInMemory();
        var first = new Transcript(
                opening(Generation.V2025_06_18) + "-> tools/call\n" + page("one", next("a")) + with("a") + "<.\n");
        try (var client = Scripts.over(first, time)
                .generation(Generation.V2025_06_18)
                .handles(kept)
                .connect()) {
            client.call("pages", ARGUMENTS);
            first.await(JsonTree.read(Json.raw("{\"params\":{\"resumeToken\":\"a\"}}")));
        }
        var second = new Transcript(opening(Generation.V2025_06_18) + with("a") + page("two", ""));
        try (var client = Scripts.over(second, time)
                .generation(Generation.V2025_06_18)
                .handles(kept)
                .connect()) {
            assertThat(text(client.resumeAll().getFirst().await())).contains("two");
        }
    }

    @Test
    void questions_between_the_parts_are_answered_beside_the_token() throws Exception {
        var script = new Transcript(opening(Generation.V2026_07_28) + "-> tools/call\n" + page("one", next("a"))
                + with("a") + ASKED
                + "-> tools/call {\"resumeToken\":\"a\",\"requestState\":\"s\","
                + "\"inputResponses\":{\"who\":{\"action\":\"decline\"}}}\n" + page("two", ""));
        try (var client = Scripts.over(script, time)
                .answers(QuestionHandler.NONE.forms(form -> new Reply.Declined()))
                .connect()) {
            assertThat(text(client.call("pages", ARGUMENTS).await())).contains("two");
        }
    }

    /** The work goes on until a request for its next part is given up. */
    @Test
    void a_call_that_is_cancelled_between_two_parts_requests_the_next_one_and_gives_it_up() throws Exception {
        var call = new CompletableFuture<RemoteCall<CallOutcome>>();
        var script = new Transcript(opening(Generation.V2026_07_28) + "-> tools/call\n" + page("one", next("a"))
                + with("a") + ASKED + "-> tools/call {\"resumeToken\":\"a\",\"requestState\":\"s\"}\n<.\n");
        var cancelling = QuestionHandler.NONE.forms(form -> {
            call.join().cancel();
            return new Reply.Declined();
        });
        try (var client = Scripts.over(script, time).answers(cancelling).connect()) {
            call.complete(client.call("pages", ARGUMENTS));
            script.await(JsonTree.read(Json.raw("{\"params\":{\"requestState\":\"s\"}}")));
            time.ringOnceSet(CallStart.TO_GIVE_UP);
            assertThat(call.join().await()).isInstanceOf(CallOutcome.Cancelled.class);
        }
    }

    @Test
    void a_text_of_a_tool_that_looks_like_a_token_is_the_tools_own() throws Exception {
        var script = new Transcript(opening(Generation.V2025_06_18) + "-> tools/call\n"
                + "<- {\"content\":[],\"structuredContent\":{\"nextResumeToken\":\"a\"}}");
        try (var client = connect(script, Generation.V2025_06_18)) {
            assertThat(text(client.call("pages", NO_ARGUMENTS).await())).contains("nextResumeToken");
        }
    }
}
