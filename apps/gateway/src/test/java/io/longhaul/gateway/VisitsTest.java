// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.server.ElicitUrlRequest;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.server.UrlElicitationRequiredException;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The addresses that a server behind a gateway sends callers to. */
@Timeout(120)
class VisitsTest {

    private static final ElicitUrlRequest CONNECT =
            new ElicitUrlRequest("connect", "e-1", "Connect your account.", "https://reports.example/connect");

    @TempDir
    Path folder;

    private final Http http = Http.onPort(0);
    private final Queue<QuestionHandler.Link> visited = new ConcurrentLinkedQueue<>();
    private final QuestionHandler visiting = QuestionHandler.NONE.links(link -> {
        visited.add(link);
        return new Reply.Accepted(Json.EMPTY_OBJECT);
    });
    private McpServer behind;

    @BeforeEach
    void start() {
        behind = McpServer.builder("behind", "1.0")
                .tool(Tool.define("visit")
                        .handler((none, call) -> call.elicitUrl(CONNECT).toString()))
                .tool(Tool.define("later")
                        .handler((none, call) -> call.elicitUrl(CONNECT).toString()))
                .tool(Tool.define("need").handler((none, call) -> {
                    throw new UrlElicitationRequiredException(CONNECT);
                }))
                .serve(http);
    }

    @AfterEach
    void stop() {
        behind.close();
    }

    private Front front(Generation server) {
        return Front.of(
                folder.resolve("gateway.db"),
                Upstream.at("tests", http.url()).generation(server).longTools("later"));
    }

    /** Only these servers give an id to such a question. */
    @ParameterizedTest
    @EnumSource(
            value = Generation.class,
            names = {"V2026_07_28", "V2025_11_25"})
    void a_caller_is_sent_to_the_address_of_the_server_in_quick_and_in_long_calls(Generation server) throws Exception {
        try (var front = front(server);
                var client = front.client()
                        .generation(Generation.V2025_11_25)
                        .answers(visiting)
                        .connect()) {
            for (var tool : new String[] {"visit", "later"}) {
                assertThat(GatewayTest.text(client.call(tool, Json.EMPTY_OBJECT).await()))
                        .contains("ACCEPT");
                assertThat(visited.remove()).satisfies(link -> {
                    assertThat(link.message()).isEqualTo("Connect your account.");
                    assertThat(link.url()).isEqualTo("https://reports.example/connect");
                    assertThat(link.id()).isEqualTo(server == Generation.V2025_11_25 ? "e-1" : null);
                });
            }
        }
    }

    /** @param tool asks in a quick call, in a long call, or by an error */
    @ParameterizedTest
    @ValueSource(strings = {"visit", "later", "need"})
    void the_caller_that_was_sent_to_an_address_is_told_when_its_person_is_done_there(String tool) throws Exception {
        var told = new LinkedBlockingQueue<String>();
        try (var front = front(Generation.V2025_11_25);
                var client = front.client()
                        .generation(Generation.V2025_11_25)
                        .answers(visiting)
                        .connect();
                var listening = client.onElicitationComplete(told::add)) {
            String done;
            do {
                // A notice that finds no open stream is lost.
                client.call(tool, Json.EMPTY_OBJECT).await();
                behind.notifyElicitationComplete("e-1");
                done = told.poll(10, TimeUnit.MILLISECONDS);
            } while (done == null);
            assertThat(done).isEqualTo("e-1");
        }
    }

    @Test
    void a_call_that_needs_a_visit_first_is_refused_with_the_address() throws Exception {
        try (var front = front(Generation.V2025_11_25);
                var client = front.client()
                        .generation(Generation.V2025_11_25)
                        .answers(visiting)
                        .connect()) {
            assertThat(client.call("need", Json.EMPTY_OBJECT).await())
                    .isInstanceOfSatisfying(CallOutcome.ProtocolError.class, end -> {
                        assertThat(end.error().code()).isEqualTo(-32042);
                        assertThat(String.valueOf(end.error().data()))
                                .contains("https://reports.example/connect", "e-1");
                    });
        }
    }
}
