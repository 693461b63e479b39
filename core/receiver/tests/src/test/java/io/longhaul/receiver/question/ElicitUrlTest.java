// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.question;

import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.server.ElicitUrlRequest;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.UrlElicitationRequiredException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person does at an address, out of the client's sight. */
class ElicitUrlTest {

    private static final String URL = "{\"elicitation\":{\"url\":{}}}";
    private static final String VISITS = Served.call("visits", "{}");
    private static final String NEEDS = Served.call("needs", "{}");
    private static final String ACCEPT = "{\"action\":\"accept\"}";
    private static final ElicitUrlRequest CONNECT =
            new ElicitUrlRequest("connect", "e-1", "Connect your account.", "https://reports.example/connect");

    private final AtomicBoolean connected = new AtomicBoolean();
    private final Tool visits =
            Tool.define("visits").description("Asks").handler((none, task) -> task.elicitUrl(CONNECT));
    private final Tool needs = Tool.define("needs").description("Needs").handler((none, task) -> {
        if (!connected.get()) {
            throw new UrlElicitationRequiredException(CONNECT);
        }
        return "connected";
    });

    @AutoClose
    private final Served served = Served.with(visits, needs);

    @Test
    void a_session_of_2025_11_25_is_asked_with_the_id() {
        var client = served.handshake("2025-11-25", URL);
        var reply = client.send("tools/call", VISITS);
        var question = Served.json(reply.nextMessage());
        assertThat(question.path("params")).isEqualTo(Served.json("""
                {"mode":"url","message":"Connect your account.",
                "url":"https://reports.example/connect","elicitationId":"e-1"}"""));
        client.answer(question, ACCEPT).status();
        assertThat(Served.resultText(reply)).contains("ACCEPT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-06-18"})
    void a_session_of_an_older_version_is_asked_in_the_same_words_where_it_declares_that(String version) {
        var client = served.handshake(version, URL);
        var stream = client.get();
        var reply = client.send("tools/call", VISITS);
        var question = Served.json(reply.nextMessage());
        assertThat(question.path("params").path("mode").asString()).isEqualTo("url");
        assertThat(question.path("params").path("elicitationId").asString()).isEqualTo("e-1");
        client.answer(question, ACCEPT).status();
        assertThat(Served.resultText(reply)).contains("ACCEPT");
        served.server().notifyElicitationComplete("e-1");
        assertThat(stream.nextMessage()).contains("notifications/elicitation/complete", "e-1");
        stream.leave();
    }

    @Test
    void in_2026_07_28_it_is_asked_without_an_id() {
        var asked = served.stateless(URL).ask("tools/call", VISITS).path("result");
        assertThat(asked.path("inputRequests").path("connect").path("params"))
                .isEqualTo(Served.json("{\"mode\":\"url\",\"message\":\"Connect your account.\","
                        + "\"url\":\"https://reports.example/connect\"}"));
    }

    @Test
    void a_client_that_declares_forms_alone_is_never_sent_to_an_address() {
        Served.assertRequires(served.stateless("{\"elicitation\":{}}").ask("tools/call", VISITS), "elicitation", "url");
        var old = served.handshake("2025-11-25", "{\"elicitation\":{}}").ask("tools/call", NEEDS);
        assertThat(old.path("error").path("code").asInt()).isEqualTo(-32602);
    }

    @Test
    void a_call_that_needs_it_first_is_the_error_of_2025_11_25_and_the_client_is_told_when_it_is_done() {
        var client = served.handshake("2025-11-25", URL);
        var stream = client.get();
        var error = client.ask("tools/call", NEEDS).path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32042);
        assertThat(error.path("data")
                        .path("elicitations")
                        .path(0)
                        .path("elicitationId")
                        .asString())
                .isEqualTo("e-1");
        connected.set(true);
        served.server().notifyElicitationComplete("of somebody else");
        served.server().notifyElicitationComplete("e-1");
        var told = Served.json(stream.nextMessage());
        assertThat(told.path("method").asString()).isEqualTo("notifications/elicitation/complete");
        assertThat(told.path("params").path("elicitationId").asString()).isEqualTo("e-1");
        assertThat(text(client.ask("tools/call", NEEDS).path("result"))).isEqualTo("connected");
    }

    @Test
    void only_the_client_that_was_sent_to_an_address_is_told_when_it_is_done() {
        var other = served.handshake("2025-11-25", URL);
        var stream = other.get();
        assertThat(stream.next().orElseThrow().data()).isEmpty();
        served.handshake("2025-11-25", URL).ask("tools/call", NEEDS);
        served.server().notifyElicitationComplete("e-1");
        other.ask("tools/call", NEEDS);
        served.server().notifyElicitationComplete("e-1");
        assertThat(Served.json(stream.nextMessage())
                        .path("params")
                        .path("elicitationId")
                        .asString())
                .isEqualTo("e-1");
        assertThat(stream.isQuiet()).isTrue();
    }

    @Test
    void a_call_of_2026_07_28_that_needs_it_first_asks_and_runs_again_once_it_is_agreed() {
        var client = served.stateless(URL);
        var asked = client.ask("tools/call", NEEDS).path("result");
        assertThat(asked.path("inputRequests").has("connect")).isTrue();
        connected.set(true);
        var more = "\"inputResponses\":{\"connect\":" + ACCEPT + "},\"requestState\":" + asked.path("requestState");
        assertThat(text(client.ask("tools/call", Served.and(NEEDS, more)).path("result")))
                .isEqualTo("connected");
    }

    @Test
    void an_id_that_the_author_does_not_choose_is_a_random_one() {
        var ids = IntStream.range(0, 100)
                .mapToObj(i -> ElicitUrlRequest.of("Go", "https://x.example/").elicitationId())
                .toList();
        assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.length() == 32);
    }

    @Test
    void an_address_must_be_one() {
        assertThatThrownBy(() -> ElicitUrlRequest.of(" ", "https://reports.example/"))
                .hasMessageContaining("message");
        assertThatThrownBy(() -> ElicitUrlRequest.of("Go", "somewhere")).hasMessageContaining("no absolute URL");
        assertThatThrownBy(() -> ElicitUrlRequest.of("Go", "ftp://reports.example/x"))
                .hasMessageContaining("https:");
        assertThatThrownBy(() -> ElicitUrlRequest.of("Go", "https://ada:secret@reports.example/x"))
                .hasMessageContaining("let anybody in")
                .hasMessageNotContaining("secret");
    }
}
