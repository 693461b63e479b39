// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.transport.client.ClientTransport;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.Timeouts;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
@ExtendWith(Transcript.Played.class)
class EraTest {

    private static final String OLD = """
            -> initialize {"protocolVersion":"2025-11-25"}
            <- {"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}
            -> notifications/initialized
            -h MCP-Protocol-Version: 2025-06-18
            <= 202
            """;

    private final TestTime time = new TestTime();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<= 400",
                "<= 404",
                "<= 405",
                "<= 400\n<! -32000 Session",
                "<= 400\n<! -32601 Unknown",
                "<! -32601 Unknown",
                "<! -32602 Early"
            })
    void whatever_is_no_error_of_the_newest_era_means_an_older_server(String answer) {
        var script = new Transcript("-> server/discover\n" + answer + "\n" + OLD);
        try (var client = Scripts.over(script, time).connect()) {
            assertThat(client.server().generation()).isEqualTo(Generation.V2025_06_18);
            assertThat(client.server().name()).isEqualTo("old");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"resultType\":\"complete\",\"supportedVersions\":[]}",
                "{\"supportedVersions\":\"2026-07-28\"}",
                "{\"content\":[],\"isError\":true}",
                "\"ok\"",
                "null"
            })
    void a_result_that_names_no_version_means_an_older_server(String result) throws Exception {
        var over = new Transcript("-> server/discover\n<- " + result + "\n" + OLD);
        try (var client = Scripts.over(over, time).connect()) {
            assertThat(client.server().generation()).isEqualTo(Generation.V2025_06_18);
        }
        var pipe = new Transcript("-> server/discover\n<- " + result + "\n" + OLD);
        try (var client = Scripts.overStdio(pipe, time).connect()) {
            assertThat(client.server().name()).isEqualTo("old");
        }
    }

    @Test
    void a_server_that_answers_whatever_it_does_not_know_with_a_result_is_no_server_of_the_chosen_newest_era() {
        var script = new Transcript("-> server/discover\n<- {}");
        assertThatThrownBy(() -> Scripts.over(script, time)
                        .generation(Generation.V2026_07_28)
                        .connect())
                .isInstanceOf(UnsupportedByServerException.class)
                .hasMessageContaining("does not speak the protocol 2026-07-28");
    }

    @Test
    void a_server_that_refuses_the_host_of_the_client_is_said_to_refuse_and_its_reason_is_told() {
        var refusal = "<= 403\n<! -32600 HostNotServed\n";
        var script = new Transcript("-> server/discover\n" + refusal + "-> initialize\n" + refusal);
        assertThatThrownBy(() -> Scripts.over(script, time).connect())
                .isInstanceOf(UnsupportedByServerException.class)
                .hasMessageContaining("refuses a session")
                .hasMessageContaining("HostNotServed");
    }

    /** A key says that the caller waits for the result, and reads no text in its place that names a task. */
    @Test
    void a_call_that_makes_no_task_has_a_key_too() throws Exception {
        var script = new Transcript("-> server/discover\n<= 404\n" + OLD + """
                -> tools/call {"name":"report"}
                <- {"content":[]}
                """);
        try (var client = Scripts.over(script, time).connect()) {
            client.call("report", Json.EMPTY_OBJECT).await();
        }
        var params = script.received().getLast().path("params");
        assertThat(params.at("/_meta/io.longhaul~1creation-key").isString()).isTrue();
    }

    @Test
    void a_server_of_the_newest_era_that_lacks_our_version_is_asked_in_one_that_it_names() {
        var script = new Transcript("-> server/discover\n<= 400\n<! -32022 Unsupported {\"supported\":"
                + "[\"2024-11-05\",\"2027-01-01\",\"2025-11-25\",\"2025-06-18\"]}\n" + OLD);
        try (var client = Scripts.over(script, time).connect()) {
            assertThat(client.server().generation()).isEqualTo(Generation.V2025_06_18);
        }
    }

    @ParameterizedTest
    @CsvSource({"[\"2027-01-01\"], 2027-01-01", "[], -32022"})
    void a_server_of_the_newest_era_without_a_shared_version_is_never_asked_to_initialize(
            String supported, String told) {
        var script =
                new Transcript("-> server/discover\n<= 400\n<! -32022 Unsupported {\"supported\":" + supported + "}");
        assertThatThrownBy(() -> Scripts.over(script, time).connect())
                .isInstanceOf(UnsupportedByServerException.class)
                .hasMessageContaining(told);
    }

    @Test
    void a_session_in_a_version_that_we_do_not_speak_is_never_begun() {
        var script = new Transcript("-> server/discover\n<= 400\n-> initialize\n"
                + "<- {\"protocolVersion\":\"2099-01-01\",\"capabilities\":{},"
                + "\"serverInfo\":{\"name\":\"new\",\"version\":\"1\"}}");
        assertThatThrownBy(() -> Scripts.over(script, time).connect())
                .isInstanceOf(UnsupportedByServerException.class)
                .hasMessageContaining("2099-01-01");
    }

    /** Rings the alarm when the server has the request: a client whose request is given up before does not send it. */
    private Thread ringAfter(Transcript script, String method, Duration limit) {
        return Thread.ofVirtual().start(() -> {
            while (script.count("{\"method\":\"" + method + "\"}") == 0 || !time.ring(limit)) {
                Thread.yield();
            }
        });
    }

    @Test
    void a_request_that_takes_too_long_is_given_up_and_the_server_told() throws Exception {
        var script = new Transcript(Scripts.STATELESS
                + "-> tools/list\n<.\n-> notifications/cancelled {\"requestId\":2}\n-> tools/list\n<- {\"tools\":[]}");
        try (var client = Scripts.overStdio(script, time).connect()) {
            var ringing = ringAfter(script, "tools/list", Timeouts.DEFAULT.request());
            assertThat(client.tools()).isEmpty();
            ringing.join();
            script.await(JsonTree.read(Json.raw("{\"method\":\"notifications/cancelled\"}")));
        }
    }

    @Test
    void the_end_of_a_request_that_takes_too_long_does_not_end_the_message_that_tells_the_server() throws Exception {
        var script = new Transcript(Scripts.HANDSHAKE
                + "-> tools/list\n<.\n-> notifications/cancelled\n<= 202\n-> tools/list\n<- {\"tools\":[]}");
        var slow = new SlowCancellations(new ScriptedServer(script, false));
        try (var client = Scripts.over(script, time).over(() -> slow).connect()) {
            var ringing = ringAfter(script, "tools/list", Timeouts.DEFAULT.request());
            assertThat(client.tools()).isEmpty();
            ringing.join();
            slow.going.countDown();
            assertThat(slow.arrived.get()).isTrue();
        }
    }

    /** A server over HTTP to which a cancellation takes its time. */
    private static final class SlowCancellations implements ClientTransport {

        private final ScriptedServer server;
        final CountDownLatch going = new CountDownLatch(1);

        /** Whether the cancellation has arrived, and was not ended on its way. */
        final CompletableFuture<Boolean> arrived = new CompletableFuture<>();

        SlowCancellations(ScriptedServer server) {
            this.server = server;
        }

        @Override
        public ServerReply send(Json message, Map<String, String> headers) throws TransportException {
            if (message.toString().contains("notifications/cancelled")) {
                try {
                    going.await();
                    arrived.complete(true);
                } catch (InterruptedException e) {
                    arrived.complete(false);
                    throw new TransportException(TransportException.Kind.LOST, "interrupted", e);
                }
            }
            return server.send(message, headers);
        }

        @Override
        public boolean isLasting() {
            return false;
        }

        @Override
        public ServerReply listen(Map<String, String> headers) throws TransportException {
            return server.listen(headers);
        }

        @Override
        public ServerReply leave(Map<String, String> headers) throws TransportException {
            return server.leave(headers);
        }

        @Override
        public void close() {
            server.close();
        }
    }

    @Test
    void a_call_has_a_timeout_of_its_own_and_the_server_is_told_of_it() throws Exception {
        var limit = Duration.ofSeconds(7);
        var script = new Transcript(Scripts.STATELESS + Scripts.TOOLS
                + "-> tools/call\n<.\n-> notifications/cancelled {\"requestId\":3}\n");
        try (var client = Scripts.overStdio(script, time).connect()) {
            var options =
                    CallOptions.DEFAULT.withTask(CallOptions.TaskUse.REFUSE).withTimeout(limit);
            var call = client.call("report", NO_ARGUMENTS, options);
            script.await(JsonTree.read(Json.raw("{\"method\":\"tools/call\"}")));
            assertThat(time.ring(limit)).isTrue();
            assertThat(call.await())
                    .isEqualTo(new CallOutcome.TimedOut("The call took longer than its timeout and was cancelled."));
        }
    }

    @Test
    void a_call_that_its_caller_has_cancelled_ends_so_though_its_timeout_passes_meanwhile() throws Exception {
        var limit = Duration.ofSeconds(7);
        var script = new Transcript(Scripts.STATELESS + Scripts.TOOLS + "-> tools/call\n<.");
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.call("report", NO_ARGUMENTS, CallOptions.DEFAULT.withTimeout(limit));
            script.await(JsonTree.read(Json.raw("{\"method\":\"tools/call\"}")));
            call.cancel();
            assertThat(time.ring(limit)).isTrue();
            assertThat(time.ring(Duration.ofSeconds(3))).isTrue();
            assertThat(call.await()).isEqualTo(new CallOutcome.Cancelled());
        }
    }

    @Test
    void a_server_on_a_pipe_that_has_died_is_started_again() throws Exception {
        var script = new Transcript(
                Scripts.STATELESS + "-> tools/list\n<x\n" + Scripts.STATELESS + "-> tools/list\n<- {\"tools\":[]}");
        try (var client = McpClient.to(URI.create("http://script.test/mcp"))
                .name("tester", "1")
                .time(time)
                .over(() -> new ScriptedServer(script, true))
                .connect()) {
            assertThat(client.tools()).isEmpty();
        }
    }

    @Test
    void an_empty_cursor_is_not_the_end_of_a_list() throws Exception {
        var script = new Transcript(Scripts.STATELESS
                + "-> tools/list\n<- {\"tools\":[],\"nextCursor\":\"\"}\n"
                + "-> tools/list {\"cursor\":\"\"}\n<- {\"tools\":[{\"name\":\"a\",\"inputSchema\":{}}]}");
        try (var client = Scripts.over(script, time).connect()) {
            assertThat(client.tools()).extracting(ToolInfo::name).containsExactly("a");
        }
    }

    @Test
    void a_silent_server_on_a_pipe_is_an_older_one() throws Exception {
        var script = new Transcript("-> server/discover\n<.\n" + OLD);
        var ringing = ringAfter(script, "server/discover", Timeouts.DEFAULT.probe());
        try (var client = Scripts.overStdio(script, time).connect()) {
            assertThat(client.server().generation()).isEqualTo(Generation.V2025_06_18);
        }
        ringing.join();
    }

    @Test
    void on_a_pipe_any_error_means_an_older_server_and_a_discovery_a_new_one() throws Exception {
        var old = new Transcript("-> server/discover\n<! -32602 Early\n" + OLD);
        try (var client = Scripts.overStdio(old, time).connect()) {
            assertThat(client.server().generation()).isEqualTo(Generation.V2025_06_18);
        }
        var recent = new Transcript(Scripts.STATELESS + Scripts.TOOLS + "-> tools/call\n<- {\"content\":[]}");
        try (var client = Scripts.overStdio(recent, time).connect()) {
            assertThat(client.server().generation()).isEqualTo(Generation.V2026_07_28);
            assertThat(client.call("report", NO_ARGUMENTS).await()).isInstanceOf(CallOutcome.ToolResult.class);
        }
    }

    @Test
    void on_a_pipe_a_call_is_given_up_by_a_notification_and_its_late_response_ignored() throws Exception {
        var script = new Transcript(Scripts.STATELESS + Scripts.TOOLS + """
                -> tools/call
                .. {"method":"notifications/cancelled","params":{"requestId":3}}
                <- {"content":[]}
                -> notifications/cancelled
                """);
        try (var client = Scripts.overStdio(script, time).connect()) {
            var call = client.call("report", NO_ARGUMENTS, CallOptions.DEFAULT.withTask(CallOptions.TaskUse.REFUSE));
            script.await(JsonTree.read(Json.raw("{\"method\":\"tools/call\"}")));
            call.cancel();
            assertThat(call.await()).isInstanceOf(CallOutcome.Cancelled.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void messages_that_a_server_sends_in_one_array_are_taken_one_by_one(boolean pipe) throws Exception {
        var script = new Transcript("""
                -> initialize {"protocolVersion":"2025-03-26"}
                <- {"protocolVersion":"2025-03-26","capabilities":{"tools":{}},\
                "serverInfo":{"name":"old","version":"1"}}
                -> notifications/initialized
                <= 202
                -> tools/call
                <[ {"jsonrpc":"2.0","id":"q1","method":"ping"}
                .. {"id":"q1","result":{}}
                """);
        var builder = pipe ? Scripts.overStdio(script, time) : Scripts.over(script, time);
        try (var client = builder.generation(Generation.V2025_03_26).connect()) {
            assertThat(client.call("report", NO_ARGUMENTS).await()).isInstanceOf(CallOutcome.ToolResult.class);
            script.await(JsonTree.read(Json.raw("{\"id\":\"q1\"}")));
        }
    }

    @Test
    void a_server_that_is_not_there_is_one_clear_error_at_once() {
        var script = new Transcript("-> server/discover\n<0");
        assertThatThrownBy(() -> Scripts.over(script, time).connect()).isInstanceOf(ServerUnreachableException.class);
        assertThat(time.pauses()).isEmpty();
    }

    @Test
    void a_server_that_wants_an_authorization_is_one_clear_error() {
        var script = new Transcript("-> server/discover\n<= 401");
        assertThatThrownBy(() -> Scripts.over(script, time).connect())
                .isInstanceOf(UnsupportedByServerException.class)
                .hasMessageContaining("authorization");
    }

    @Test
    void a_chosen_generation_is_the_only_one_that_is_spoken() {
        var script = new Transcript(OLD.substring(0, OLD.indexOf("-> notifications/initialized")));
        assertThatThrownBy(() -> Scripts.over(script, time)
                        .generation(Generation.V2025_11_25)
                        .connect())
                .isInstanceOf(UnsupportedByServerException.class);
        assertThat(script.count("{\"method\":\"server/discover\"}")).isZero();
    }

    @Test
    void twenty_requests_of_a_server_wait_for_the_session_and_what_comes_then_is_ignored() throws Exception {
        var early = IntStream.rangeClosed(1, 21)
                .mapToObj(number -> "<~ {\"id\":\"q" + number + "\",\"method\":\"ping\"}\n")
                .collect(Collectors.joining());
        var answers = IntStream.rangeClosed(1, 20)
                .mapToObj(number -> ".. {\"id\":\"q" + number + "\",\"result\":{}}\n")
                .collect(Collectors.joining());
        var script = new Transcript("""
                -> initialize {"protocolVersion":"2025-11-25"}
                %s\
                <- {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},\
                "serverInfo":{"name":"early","version":"1"}}
                -> notifications/initialized
                <= 202
                -> tools/list
                <~ {"id":"last","method":"ping"}
                .. {"id":"last","result":{}}
                %s\
                <- {"tools":[]}
                """.formatted(early, answers));
        try (var client = Scripts.overStdio(script, time)
                .generation(Generation.V2025_11_25)
                .connect()) {
            assertThat(client.tools()).isEmpty();
        }
        assertThat(script.received().stream()
                        .map(message -> message.path("id").asString(""))
                        .filter(id -> id.startsWith("q")))
                .hasSize(20)
                .contains("q1")
                .doesNotContain("q21");
    }
}
