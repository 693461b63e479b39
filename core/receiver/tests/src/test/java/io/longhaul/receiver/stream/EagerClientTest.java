// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.LocalTransport;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.receiver.ext.tasks1686.RequestorTasksTest;
import io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest;
import io.longhaul.server.McpServer;
import io.longhaul.server.Resource;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** A client that acts at the very moment at which it sees that its stream is open, or its message accepted. */
@Timeout(60)
class EagerClientTest {

    private static final Supplier<EventStream> NO_STREAM = () -> {
        throw new IllegalStateException("the answer is one message");
    };

    private final CompletableFuture<Endpoint> endpoint = new CompletableFuture<>();
    private final CompletableFuture<WholeResponse> opened = new CompletableFuture<>();
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    @Test
    void what_changes_as_soon_as_a_client_sees_its_stream_is_told_on_it() throws Exception {
        try (var server = serve(Tools.greet())) {
            Runnable change = () -> server.addTool(Tool.define("more").handler((none, task) -> "more"));
            listen(initialize(), change);
            assertThat(told.poll(20, TimeUnit.SECONDS)).contains("notifications/tools/list_changed");
        }
    }

    @Test
    void a_client_that_has_not_said_that_it_is_initialized_is_asked_nothing_on_its_stream() throws Exception {
        try (var server = serve(Tools.greet())) {
            Runnable change = () -> server.addTool(Tool.define("more").handler((none, task) -> "more"));
            listen(initialize("{\"elicitation\":{},\"sampling\":{},\"roots\":{}}"), change);
            assertThat(told.poll(20, TimeUnit.SECONDS)).contains("notifications/tools/list_changed");
            assertThat(told).isEmpty();
        }
    }

    @Test
    void a_resource_that_changes_as_soon_as_a_client_sees_its_stream_is_told_on_it() throws Exception {
        var stock = Resource.define("shop://stock").handler((request, call) -> "none");
        try (var server = McpServer.builder("test", "1.0").resource(stock).serve(new Wire())) {
            var session = initialize();
            send(session, Served.request(1, "resources/subscribe", "{\"uri\":\"shop://stock\"}"));
            listen(session, () -> server.notifyResourceUpdated("shop://stock"));
            assertThat(told.poll(20, TimeUnit.SECONDS)).contains("notifications/resources/updated");
        }
    }

    @Test
    void a_stream_whose_client_has_left_when_it_is_opened_ends() {
        try (var server = serve(Tools.greet())) {
            var way = new Way(Principal.LOCAL, initialize(), opened::complete, () -> new Stream(true));
            endpoint.join().listen(way);
            assertThat(told).isEmpty();
        }
    }

    @Test
    void a_client_that_sees_that_its_cancel_is_accepted_finds_the_call_cancelled() {
        try (var server = serve(Tools.waits(new CountDownLatch(1)))) {
            var session = initialize();
            var accepted = ask(session, Served.request(1, ToolsAsyncTest.CALL, Served.call("waits", "{}")));
            var token = "\"token\":" + accepted.path("result").path("token");
            var get = Served.request(2, ToolsAsyncTest.GET, "{" + token + ",\"timeout\":0}");
            var found = new CompletableFuture<JsonNode>();
            var cancel = Served.notification("tools/async/cancel", "{" + token + "}");
            accept(cancel, new Way(Principal.LOCAL, session, answer -> found.complete(ask(session, get)), NO_STREAM));
            assertThat(found.join().path("result").has("isPending")).isFalse();
        }
    }

    @Test
    void a_client_that_cancels_its_call_while_its_stream_is_opened_finds_the_task_cancelled() {
        try (var server = serve(Tools.waits(new CountDownLatch(1)))) {
            var session = initialize();
            var get = Served.request(2, "tasks/get", RequestorTasksTest.named("mine"));
            var found = new CompletableFuture<JsonNode>();
            var call = Served.request(1, "tools/call", RequestorTasksTest.augmented("waits", "{}", "mine"));
            accept(call, way(session, () -> {
                send(session, Served.cancelled(1));
                found.complete(ask(session, get));
            }));
            assertThat(found.join().path("result").path("status").asString()).isEqualTo("cancelled");
        }
    }

    private McpServer serve(Tool tool) {
        return McpServer.builder("test", "1.0")
                .store(new MemoryTaskStore())
                .tool(tool)
                .serve(new Wire());
    }

    private JsonNode ask(Map<String, String> session, String message) {
        var answer = new CompletableFuture<WholeResponse>();
        accept(message, new Way(Principal.LOCAL, session, answer::complete, NO_STREAM));
        return Served.json(String.valueOf(answer.join().body()));
    }

    private void accept(String message, Way way) {
        endpoint.join().accept(message.getBytes(StandardCharsets.UTF_8), way).run();
    }

    /** Opens a session, and gives the header that names it. */
    private Map<String, String> initialize() {
        return initialize("{}");
    }

    private Map<String, String> initialize(String capabilities) {
        send(Map.of(), Served.initialize("2025-06-18", capabilities));
        return Map.of("Mcp-Session-Id", opened.join().headers().get("Mcp-Session-Id"));
    }

    private void send(Map<String, String> session, String message) {
        accept(message, way(session, () -> {}));
    }

    private void listen(Map<String, String> session, Runnable whenOpen) {
        Thread.ofVirtual().start(() -> endpoint.join().listen(way(session, whenOpen)));
    }

    private final class Wire implements LocalTransport {
        @Override
        public void start(Endpoint served) {
            endpoint.complete(served);
        }

        @Override
        public void awaitEnd() {}

        @Override
        public void close() {}
    }

    private Way way(Map<String, String> headers, Runnable whenOpen) {
        return new Way(Principal.LOCAL, headers, opened::complete, () -> {
            whenOpen.run();
            return new Stream(false);
        });
    }

    private record Way(
            Principal principal,
            Map<String, String> headers,
            Consumer<WholeResponse> answered,
            Supplier<EventStream> opening)
            implements Exchange {
        @Override
        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name));
        }

        @Override
        public void answer(WholeResponse answer) {
            answered.accept(answer);
        }

        @Override
        public EventStream stream(Map<String, String> more) {
            return opening.get();
        }
    }

    private final class Stream implements EventStream {
        private final boolean isGone;

        Stream(boolean isGone) {
            this.isGone = isGone;
        }

        @Override
        public void send(@Nullable String eventId, Json message) {
            told.add(message.toString());
        }

        @Override
        public boolean isOpen() {
            return !isGone;
        }

        @Override
        public void onGone(Runnable action) {
            if (isGone) {
                action.run();
            }
        }

        @Override
        public void close() {}
    }
}
