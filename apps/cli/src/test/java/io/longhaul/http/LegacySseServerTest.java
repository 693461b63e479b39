// SPDX-License-Identifier: Apache-2.0
package io.longhaul.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.McpClient;
import io.longhaul.client.QuestionHandler;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.testkit.talk.Messages;
import io.longhaul.testkit.talk.WebReply;
import io.longhaul.testkit.talk.WebRequests;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** A client of 2024-11-05, which knows nothing but HTTP with SSE. */
@Timeout(60)
class LegacySseServerTest extends HttpFixture {

    private static final String INITIALIZED = Messages.notification("notifications/initialized", "{}");

    private final CountDownLatch started = new CountDownLatch(1);
    private final Http http = Http.onPort(0).legacySse();

    /** What the tool that asks wants to know. */
    public record Name(String name) {}

    @BeforeEach
    void serve() {
        var slow = Tool.define("slow").longRunning(options -> {}).handler((input, task) -> {
            started.countDown();
            task.progress(1, 2, "half");
            gate.await();
            return "done";
        });
        var asks = Tool.define("asks")
                .handler((input, task) ->
                        "Hello, " + task.elicit("Who?", Name.class).content().name());
        serve(McpServer.builder("old", "1.0").tool(slow).tool(asks), http);
    }

    /** One such client. */
    private final class OldClient implements AutoCloseable {
        private final WebReply stream;
        private final WebRequests messages;

        OldClient(String version) throws Exception {
            URI address = http.legacySseUrl().orElseThrow();
            stream = WebRequests.to(address).get(Map.of());
            var endpoint = stream.next().orElseThrow();
            assertThat(endpoint.type()).isEqualTo("endpoint");
            messages = WebRequests.to(address.resolve(endpoint.data()));
            post(Messages.request(0, "initialize", Messages.opening(version, "{'elicitation':{}}")));
            assertThat(next().path("result").path("protocolVersion").asString()).isEqualTo(version);
            post(INITIALIZED);
        }

        void post(String message) throws Exception {
            assertThat(status(message)).isEqualTo(202);
        }

        int status(String message) throws Exception {
            return messages.post(message, Map.of()).status();
        }

        /** Leaves, and waits until the server has noticed. */
        void leave() throws Exception {
            close();
            for (int status = 202; status != 404; ) {
                status = status(INITIALIZED);
            }
        }

        void call(int id, String tool) throws Exception {
            var call = Messages.call(tool, "{}");
            post(Messages.request(id, "tools/call", Messages.and(call, "\"_meta\":{\"progressToken\":\"p\"}")));
        }

        JsonNode next() throws Exception {
            var event = stream.nextMessageEvent();
            assertThat(event.type()).isEqualTo("message");
            assertThat(event.id()).isNull();
            return Messages.read(event.data());
        }

        @Override
        public void close() throws Exception {
            stream.close();
        }
    }

    @Test
    void it_lists_the_tools_and_gets_progress_and_the_result_of_a_long_call_on_its_stream() throws Exception {
        try (var client = new OldClient("2024-11-05")) {
            client.post(Messages.request(1, "tools/list", "{}"));
            var tools = client.next().path("result").path("tools");
            assertThat(tools.findValuesAsString("name")).contains("slow", "asks");
            assertThat(tools.findValues("execution")).isEmpty();
            client.call(2, "slow");
            assertThat(client.next().path("method").asString()).isEqualTo("notifications/progress");
            client.post(Messages.request(3, "ping", "{}"));
            assertThat(client.next().path("id").asInt()).isEqualTo(3);
            gate.countDown();
            var response = client.next();
            assertThat(response.path("id").asInt()).isEqualTo(2);
            assertThat(response.toString()).contains("done");
        }
    }

    @Test
    void its_tasks_go_on_when_it_leaves() throws Exception {
        try (var client = new OldClient("2024-11-05")) {
            client.call(1, "slow");
            started.await();
            client.leave();
        }
        gate.countDown();
        try (var newer = McpClient.to(http.url()).connect()) {
            var tasks = newer.tasks();
            var task = tasks.list().getFirst();
            assertThat(tasks.result(task.id()).toString()).contains("done");
        }
    }

    @Test
    void a_newer_session_on_it_is_asked_what_the_tool_wants_to_know() throws Exception {
        try (var client = new OldClient("2025-06-18")) {
            client.call(1, "asks");
            var question = client.next();
            assertThat(question.path("method").asString()).isEqualTo("elicitation/create");
            client.post(
                    Messages.response(question.path("id"), "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}"));
            assertThat(client.next().toString()).contains("Hello, Ada");
        }
    }

    @Test
    void our_own_client_finds_out_that_the_server_has_nothing_else_at_an_address() throws Exception {
        var address = http.legacySseUrl().orElseThrow();
        var asked =
                QuestionHandler.NONE.forms(form -> new QuestionHandler.Reply.Accepted(Json.raw("{\"name\":\"Ada\"}")));
        try (var client = McpClient.to(address).answers(asked).connect()) {
            assertThat(client.server().generation()).isEqualTo(Generation.V2025_11_25);
            assertThat(client.call("asks", Map.of()).await().toString()).contains("Hello, Ada");
            var slow = client.call("slow", Map.of());
            assertThat(slow.reference()).isPresent();
            gate.countDown();
            assertThat(slow.await().toString()).contains("done");
        }
    }

    @Test
    void a_broken_message_is_an_error_on_the_stream() throws Exception {
        try (var client = new OldClient("2024-11-05")) {
            client.post("{");
            assertThat(client.next().path("error").path("code").asInt()).isEqualTo(-32700);
        }
    }
}
