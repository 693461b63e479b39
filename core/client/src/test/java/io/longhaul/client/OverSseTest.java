// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static io.longhaul.client.Scripts.answeringAda;
import static io.longhaul.client.Scripts.script;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers of HTTP with SSE, the transport of 2024-11-05, which a client finds out by itself. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class OverSseTest {

    private static final String NO_POST = "-> server/discover\n<= 405\n-> initialize\n<= 405\n";
    private static final String STREAM = "-> STREAM\n";
    private static final String AGREED = """
            -> initialize {"protocolVersion":"2025-11-25"}
            <- {"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}
            -> notifications/initialized
            """;
    private static final String AGAIN = STREAM + AGREED.replace("2025-11-25", "2024-11-05");
    private static final String DONE = "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}";
    private static final CallOutcome RESULT = new CallOutcome.ToolResult(Json.raw(DONE));
    private static final String CALLED = "-> tools/call\n<- " + DONE;

    private final TestTime time = new TestTime();

    private McpClientBuilder over(Transcript script) {
        script.on(time);
        return McpClient.to(URI.create("http://script.test/sse"))
                .name("tester", "1")
                .time(time)
                .over(() -> new ScriptedServer(script, false, true));
    }

    private static CallOutcome report(McpClient client) throws InterruptedException {
        return client.call("report", NO_ARGUMENTS).await();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 405})
    void a_server_that_takes_no_post_is_asked_for_a_stream_and_spoken_with_over_it(int status) throws Exception {
        var refused = NO_POST.replace("405", String.valueOf(status));
        try (var client = over(script(refused, STREAM, AGREED, CALLED)).connect()) {
            assertThat(client.server().generation()).isEqualTo(Generation.V2024_11_05);
            assertThat(report(client)).isEqualTo(RESULT);
        }
    }

    @Test
    void a_server_that_says_405_in_the_words_of_json_rpc_may_have_such_a_stream() throws Exception {
        var refused = NO_POST.replace("405", "405\n<! -32600 Use-GET");
        try (var client = over(script(refused, STREAM, AGREED, CALLED)).connect()) {
            assertThat(report(client)).isEqualTo(RESULT);
        }
    }

    @Test
    void a_server_that_refuses_a_version_by_an_error_is_asked_for_no_stream() {
        var builder = over(script("-> server/discover\n<= 400\n-> initialize\n<= 400\n<! -32602 No-such-version"));
        assertThatThrownBy(builder::connect).isInstanceOf(UnsupportedByServerException.class);
    }

    @Test
    void a_server_that_has_no_such_stream_either_is_told_of_as_what_it_said_first() {
        var builder = over(script(NO_POST, STREAM + "<= 404"));
        assertThatThrownBy(builder::connect)
                .isInstanceOf(UnusableAnswerException.class)
                .hasMessageContaining("405");
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 406, 500})
    void no_other_refusal_of_the_handshake_leads_to_a_stream(int status) {
        var builder = over(script("-> server/discover\n<= 400\n-> initialize\n<= " + status));
        assertThatThrownBy(builder::connect).isInstanceOf(McpClientException.class);
    }

    @Test
    void a_client_that_may_speak_the_newest_revision_alone_asks_for_no_stream() {
        var builder = over(script("-> server/discover\n<= 405")).generation(Generation.V2026_07_28);
        assertThatThrownBy(builder::connect).isInstanceOf(UnsupportedByServerException.class);
    }

    @Test
    void what_the_server_asks_on_its_stream_is_answered() throws Exception {
        var question = """
                -> tools/call
                <~ {"id":"q1","method":"elicitation/create","params":{"message":"Who?","requestedSchema":{}}}
                .. {"id":"q1","result":{"content":{"who":"Ada"}}}
                <- %s
                """.formatted(DONE);
        var asked = new AtomicInteger();
        var agreed = AGREED.replace("2024-11-05", "2025-06-18");
        try (var client = over(script(NO_POST, STREAM, agreed, question))
                .answers(answeringAda(asked))
                .connect()) {
            assertThat(report(client)).isEqualTo(RESULT);
            assertThat(asked).hasValue(1);
        }
    }

    @Test
    void a_stream_that_is_lost_is_followed_by_a_new_one_with_a_session_of_its_own() throws Exception {
        var lost = "-> tools/call\n<x";
        try (var client =
                over(script(NO_POST, STREAM, AGREED, lost, AGAIN, CALLED)).connect()) {
            assertThat(report(client)).isInstanceOf(CallOutcome.OutcomeUnknown.class);
            assertThat(report(client)).isEqualTo(RESULT);
        }
    }

    @Test
    void a_call_that_the_server_knows_no_session_for_is_made_in_a_new_one() throws Exception {
        var gone = "-> tools/call\n<= 404";
        try (var client =
                over(script(NO_POST, STREAM, AGREED, gone, AGAIN, CALLED)).connect()) {
            assertThat(report(client)).isEqualTo(RESULT);
        }
    }

    @Test
    void a_call_that_the_server_does_not_take_now_is_sent_again() throws Exception {
        try (var client = over(script(NO_POST, STREAM, AGREED, "-> tools/call\n<= 429", CALLED))
                .connect()) {
            assertThat(report(client)).isEqualTo(RESULT);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {504, 500})
    void an_answer_that_a_gateway_did_not_wait_for_and_that_comes_late_ends_no_other_call(int status) throws Exception {
        var slow = "-> tools/call {\"name\":\"slow\"}\n<= " + status;
        var late = """
                -> tools/call {"name":"report"}
                <~ {"id":4,"result":{"content":[]}}
                <- %s
                """.formatted(DONE);
        try (var client = over(script(NO_POST, STREAM, AGREED, slow, late)).connect()) {
            assertThat(client.call("slow", NO_ARGUMENTS).await()).isInstanceOf(CallOutcome.Failed.class);
            assertThat(report(client)).isEqualTo(RESULT);
        }
    }
}
