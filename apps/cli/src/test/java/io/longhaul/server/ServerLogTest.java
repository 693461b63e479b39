// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.transport.http.Http;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a server tells its operator. */
@Timeout(60)
class ServerLogTest {

    private static final Principal ALICE = new Principal("alice\nBOB", Principal.Kind.AUTHORIZED);
    private static final Map<String, String> HEADERS = Map.of("MCP-Protocol-Version", "2026-07-28");

    @AutoClose
    private final LogLines lines = new LogLines("io.longhaul");

    @Test
    void a_start_without_authorization_off_this_machine_is_warned_of() {
        try (var server = serve(Http.onPort(0).bindAddress("0.0.0.0"))) {
            assertThat(said(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("without authorization: any client that reaches it may call")
                    .contains("nothing is listed")
                    .contains("http://");
        }
    }

    @Test
    void a_start_on_this_machine_or_with_authorization_is_no_warning() {
        PrincipalResolver resolver = PrincipalResolver.always(ALICE);
        try (var local = serve(Http.onPort(0));
                var known = serve(Http.onPort(0).bindAddress("0.0.0.0").principals(resolver))) {
            assertThat(said(Level.WARN)).isEmpty();
            assertThat(said(Level.INFO))
                    .anyMatch(line -> line.contains("every caller is the one local user"))
                    .anyMatch(line -> line.contains("told apart by their authorization"));
        }
    }

    @Test
    void the_author_of_a_tool_that_makes_tasks_alone_is_told_that_any_long_tool_reaches_every_host() {
        var closed = Tool.define("closed").longRunning(LongRunning::taskOnly).handler((none, task) -> "done");
        try (var server = McpServer.builder("test", "1.0")
                .store(new MemoryTaskStore())
                .tool(closed)
                .serve(new MemoryTransport())) {
            assertThat(said(Level.INFO))
                    .filteredOn(line -> line.startsWith("tool closed is closed to clients that know no tasks"))
                    .hasSize(1);
        }
        lines.clear();
        try (var server = serve(new MemoryTransport())) {
            assertThat(said(Level.INFO)).noneMatch(line -> line.startsWith("tool "));
        }
    }

    @Test
    void the_log_tells_who_created_a_task_how_it_ended_and_who_was_given_its_outcome() {
        var transport = new MemoryTransport();
        try (var server = serve(transport)) {
            String id = ask(transport, "tools/call", "\"name\":\"work\"", "work")
                    .path("taskId")
                    .asString();
            while (!ask(transport, "tasks/get", "\"taskId\":\"" + id + "\"", id).has("result")) {
                Thread.onSpinWait();
            }
            assertThat(said(Level.DEBUG))
                    .containsSubsequence(
                            "task " + id + " created by alice?BOB: work",
                            "task " + id + " of alice?BOB ended: completed");
            assertThat(said(Level.DEBUG)).contains("outcome of task " + id + " given to alice?BOB in tasks-2026-07-28");
        }
    }

    @Test
    void calls_that_find_no_room_on_the_disk_are_left_to_the_line_that_the_store_says_once_a_minute() {
        var transport = new MemoryTransport();
        var store = new FaultyTaskStore(new MemoryTaskStore(), 1);
        try (var server = serve(transport, store)) {
            store.fill();
            for (int i = 0; i < 10; i++) {
                ask(transport, "tools/call", "\"name\":\"work\"", "work");
            }
            assertThat(said(Level.DEBUG)).anyMatch(line -> line.startsWith("the tool work could not be stored: "));
            assertThat(said(Level.WARN)).isEmpty();
            assertThat(said(Level.ERROR)).isEmpty();
        }
    }

    @Test
    void an_observer_that_throws_is_logged_once_a_minute() {
        var transport = new MemoryTransport();
        var time = new FakeTime();
        try (var server = McpServer.builder("test", "1.0")
                .time(time)
                .tool(Tool.define("quick").handler((none, call) -> "done"))
                .observer(event -> {
                    throw new IllegalStateException("an observer that is broken");
                })
                .serve(transport)) {
            for (int i = 0; i < 10; i++) {
                ask(transport, "tools/call", "\"name\":\"quick\"", "quick");
            }
            assertThat(said(Level.WARN)).hasSize(1);
            time.advance(Duration.ofMinutes(1));
            ask(transport, "tools/call", "\"name\":\"quick\"", "quick");
            assertThat(said(Level.WARN)).hasSize(2);
        }
    }

    @Test
    void a_request_that_the_end_of_the_server_cuts_short_is_no_error() throws Exception {
        var transport = new MemoryTransport();
        var looking = new CountDownLatch(1);
        var closed = new CountDownLatch(1);
        var store = new ForwardingStore(new MemoryTaskStore()) {
            @Override
            public Optional<Task> find(TaskId id) {
                looking.countDown();
                awaitUninterruptibly(closed);
                throw new StoreException("the store is closed");
            }
        };
        MemoryReply reply;
        try (var server = serve(transport, store)) {
            String id = TaskId.of(1, 2, 3).value();
            reply = send(transport, "tasks/get", "\"taskId\":\"" + id + "\"", id);
            looking.await();
        }
        closed.countDown();
        assertThat(reply.response()).contains("-32603", "The server stopped before this call had ended");
        assertThat(said(Level.ERROR)).isEmpty();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException e) {
                // The end of the server interrupts the request, and the store is asked all the same.
            }
        }
    }

    private static McpServer serve(ServerTransport transport) {
        return serve(transport, new MemoryTaskStore());
    }

    private static McpServer serve(ServerTransport transport, TaskStore store) {
        return McpServer.builder("test", "1.0")
                .store(store)
                .tool(Tool.define("work").longRunning().handler((none, task) -> "done"))
                .serve(transport);
    }

    private List<String> said(Level level) {
        return lines.all().stream()
                .filter(line -> line.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private static JsonNode ask(MemoryTransport transport, String method, String params, String name) {
        return JsonMapper.shared()
                .readTree(send(transport, method, params, name).response())
                .path("result");
    }

    private static MemoryReply send(MemoryTransport transport, String method, String params, String name) {
        var headers = new java.util.HashMap<>(HEADERS);
        headers.put("Mcp-Method", method);
        headers.put("Mcp-Name", name);
        String meta = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"t\",\"version\":\"1\"},"
                + "\"io.modelcontextprotocol/clientCapabilities\":"
                + "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}}";
        String message =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":{" + params + "," + meta + "}}";
        return transport.post(ALICE, message, headers);
    }
}
