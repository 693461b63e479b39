// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.McpClient;
import io.longhaul.fakes.Blocking;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.testkit.talk.RawHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** What a whole server of MCP does behind each server of HTTP. */
abstract class ServerContract extends HttpContract {

    static final String JSON = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
    private static final String EVENTS = "Accept: text/event-stream\r\n";

    private static final int CALLS = 50;
    private static final int AT_ONCE = 8;

    static final String CALL = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n";
    static final String META = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"t\",\"version\":\"1\"},"
            + "\"io.modelcontextprotocol/clientCapabilities\":{},\"progressToken\":1}";

    private final CountDownLatch gate = new CountDownLatch(1);
    final CountDownLatch interrupted = new CountDownLatch(1);
    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicInteger ids = new AtomicInteger();

    private @TempDir @Nullable Path folder;
    private @Nullable McpServer server;

    private void serveTools() throws Exception {
        serveTools(each -> each);
    }

    /** @param more settings */
    final void serveTools(UnaryOperator<McpServerBuilder> more) throws Exception {
        var made = make(null);
        server = more.apply(McpServer.builder("contract", "1.0"))
                .tool(Tool.define("quick").handler((none, call) -> "at once"))
                .tool(Tool.define("waits").handler((none, call) -> {
                    try {
                        gate.await();
                        return "waited";
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                }))
                .tool(Tool.define("slow").longRunning().handler((none, task) -> {
                    task.progress(1, 2, "half");
                    gate.await();
                    return "done";
                }))
                .tool(Tool.define("silent").longRunning().handler((none, task) -> {
                    try {
                        gate.await();
                        return "done";
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                }))
                .tool(Tool.define("counts").longRunning().handler((none, task) -> "run " + runs.incrementAndGet()))
                .store(SqliteTaskStore.at(Objects.requireNonNull(folder).resolve("tasks.db")))
                .serve(made.transport());
        made.open();
    }

    @AfterEach
    final void closeServer() {
        gate.countDown();
        if (server != null) {
            server.close();
        }
    }

    /** The body of a request to which an open connection belongs. */
    static String message(int id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":{" + params + "}}";
    }

    private String session() throws IOException {
        return session("2025-11-25");
    }

    private String session(String version) throws IOException {
        var opened = RawHttp.ask(
                site().url(),
                "POST",
                JSON,
                message(
                        0,
                        "initialize",
                        "\"protocolVersion\":\"" + version + "\",\"capabilities\":{},"
                                + "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}"));
        assertThat(opened.status()).isEqualTo(200);
        return "Mcp-Session-Id: " + opened.headers().get("mcp-session-id") + "\r\nMCP-Protocol-Version: " + version
                + "\r\n";
    }

    /** The data of the next event that has some. */
    private static String data(RawHttp stream) throws IOException {
        for (var line = stream.event(); ; line = stream.event()) {
            if (line.startsWith("data: ")) {
                return line.substring("data: ".length());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_long_call_is_answered_in_the_generation_of_its_client(Generation generation) throws Exception {
        serveTools();
        gate.countDown();
        try (var client = McpClient.to(site().url()).generation(generation).connect()) {
            assertThat(client.call("slow", Json.EMPTY_OBJECT).await().toString())
                    .contains("done");
            assertThat(client.call("quick", Json.EMPTY_OBJECT).await().toString())
                    .contains("at once");
        }
    }

    @Test
    void a_task_is_created_watched_and_fetched_by_another_request() throws Exception {
        serveTools();
        var session = session();
        var created = RawHttp.ask(
                site().url(),
                "POST",
                JSON + session,
                message(1, "tools/call", "\"name\":\"slow\",\"arguments\":{},\"task\":{}"));
        var task = JsonMapper.shared()
                .readTree(created.body())
                .at("/result/task/taskId")
                .asString();
        try (var result = new RawHttp(site().url())) {
            result.send("POST", JSON + session, message(2, "tasks/result", "\"taskId\":\"" + task + "\""))
                    .response();
            gate.countDown();
            assertThat(data(result)).contains("done");
        }
    }

    @Test
    void a_stream_that_broke_is_resumed_behind_the_last_event_that_was_read() throws Exception {
        serveTools();
        var session = session();
        String last;
        try (var stream = new RawHttp(site().url())) {
            var head = stream.send(
                            "POST",
                            JSON + session,
                            message(
                                    1,
                                    "tools/call",
                                    "\"name\":\"slow\",\"arguments\":{},\"_meta\":{\"progressToken\":7}"))
                    .response();
            assertThat(head.headers()).containsEntry("content-type", "text/event-stream");
            last = stream.event();
            while (!last.startsWith("id: ")) {
                last = stream.event();
            }
        }
        gate.countDown();
        try (var again = new RawHttp(site().url())) {
            again.send("GET", EVENTS + session + "Last-Event-ID: " + last.substring(4) + "\r\n", "")
                    .response();
            var message = data(again);
            while (!message.contains("\"id\":1")) {
                assertThat(message).contains("notifications/");
                message = data(again);
            }
            assertThat(message).contains("done");
        }
    }

    /** Calls a tool, reads the response, and closes the connection in the same moment, as the SDK for Python does. */
    private String callAndClose(String headers, String more, boolean isStream) throws IOException {
        String accept = isStream ? JSON : JSON.replace(", text/event-stream", "");
        try (var client = new RawHttp(site().url())) {
            client.send(
                    "POST",
                    accept + headers,
                    message(ids.incrementAndGet(), "tools/call", "\"name\":\"counts\",\"arguments\":{}" + more));
            var head = client.response();
            return head.headers().getOrDefault("content-type", "").startsWith("text/event-stream")
                    ? data(client)
                    : head.body();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2024-11-05, true",
        "2025-03-26, true",
        "2025-06-18, true",
        "2025-11-25, true",
        "2026-07-28, true",
        "2025-06-18, false",
        "2025-11-25, false",
        "2026-07-28, false"
    })
    void each_call_runs_though_its_client_closes_as_soon_as_it_has_read_the_response(String version, boolean isStream)
            throws Exception {
        serveTools();
        boolean isStateless = version.equals("2026-07-28");
        String headers = isStateless ? CALL + "Mcp-Name: counts\r\n" : session(version);
        for (int call = 1; call <= CALLS; call++) {
            assertThat(callAndClose(headers, isStateless ? "," + META : "", isStream))
                    .contains("run " + call + "\"")
                    .doesNotContain("had not reached you");
        }
        for (int call = 1; !isStateless && call <= CALLS; call++) {
            assertThat(callAndClose(session(version), "", isStream)).contains("run " + (CALLS + call) + "\"");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void each_of_several_equal_calls_at_once_runs(boolean inOneSession) throws Exception {
        serveTools();
        String shared = session();
        var answers = new ConcurrentSkipListSet<String>();
        for (int round = 0; round < CALLS / AT_ONCE; round++) {
            var callers = IntStream.range(0, AT_ONCE)
                    .mapToObj(caller -> CompletableFuture.runAsync(
                            () -> {
                                try {
                                    var answer = JsonMapper.shared()
                                            .readTree(callAndClose(inOneSession ? shared : session(), "", true));
                                    answers.add(answer.at("/result/content").toString());
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            },
                            task -> Thread.ofVirtual().start(task)))
                    .toArray(CompletableFuture[]::new);
            CompletableFuture.allOf(callers).get();
        }
        int calls = CALLS / AT_ONCE * AT_ONCE;
        assertThat(answers).hasSize(calls).noneMatch(answer -> answer.contains("had not reached you"));
        assertThat(runs).hasValue(calls);
    }

    @Test
    void the_stream_of_a_session_brings_what_the_server_says_until_the_session_is_deleted() throws Exception {
        serveTools();
        var session = session();
        try (var stream = new RawHttp(site().url())) {
            assertThat(stream.send("GET", EVENTS + session, "").response().status())
                    .isEqualTo(200);
            Objects.requireNonNull(server).addTool(Tool.define("more").handler((none, call) -> "more"));
            assertThat(data(stream)).contains("notifications/tools/list_changed");
            assertThat(RawHttp.ask(site().url(), "DELETE", session, "").status())
                    .isBetween(200, 204);
            stream.end();
        }
        assertThat(RawHttp.ask(site().url(), "POST", JSON + session, message(3, "ping", ""))
                        .status())
                .isEqualTo(404);
    }

    @Test
    void a_client_of_2026_07_28_that_disconnects_cancels_its_call() throws Exception {
        serveTools();
        try (var client = new RawHttp(site().url())) {
            client.send(
                    "POST",
                    JSON + CALL + "Mcp-Name: waits\r\n",
                    message(1, "tools/call", "\"name\":\"waits\",\"arguments\":{}," + META));
            assertThat(client.response().headers()).containsEntry("content-type", "text/event-stream");
        }
        Blocking.await(interrupted);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"MCP-Protocol-Version: 2025-11-25", "Mcp-Method: tools/list", "mcp-name: slow", "Mcp-Param-A: 2"
            })
    void a_header_that_says_what_the_body_says_is_refused_where_it_comes_twice(String second) throws Exception {
        serveTools();
        var refused = RawHttp.ask(
                site().url(),
                "POST",
                JSON + CALL + "Mcp-Name: quick\r\nMcp-Param-A: 1\r\n" + second + "\r\n",
                message(1, "tools/call", "\"name\":\"quick\",\"arguments\":{}," + META));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains("\"id\":1", "-32020", "was sent more than once");
    }

    @Test
    void a_version_that_comes_twice_is_refused_in_a_session() throws Exception {
        serveTools();
        var twice = session() + "MCP-Protocol-Version: 2025-06-18\r\n";
        var refused = RawHttp.ask(site().url(), "POST", JSON + twice, message(1, "ping", ""));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains("was sent more than once");
        assertThat(RawHttp.ask(site().url(), "GET", EVENTS + twice, "").status())
                .isEqualTo(400);
    }

    @Test
    void a_server_that_is_closed_ends_its_streams_and_takes_no_more() throws Exception {
        serveTools();
        var session = session();
        try (var stream = new RawHttp(site().url())) {
            stream.send("GET", EVENTS + session, "").response();
            Objects.requireNonNull(server).close();
            stream.end();
        }
        assertThat(isServed()).isFalse();
    }

    /** A server of our own frees its port; in a container the endpoint says that nothing is served. */
    private boolean isServed() {
        try {
            return RawHttp.ask(site().url(), "POST", JSON, message(1, "ping", ""))
                            .status()
                    != 503;
        } catch (IOException e) {
            return false;
        }
    }
}
