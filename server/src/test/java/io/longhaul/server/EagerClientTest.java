package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.HttpAnswer;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.ServerTransport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client for which something changes at the very moment at which it sees that its stream is open. */
@Timeout(60)
class EagerClientTest {

    private final CompletableFuture<Endpoint> endpoint = new CompletableFuture<>();
    private final CompletableFuture<HttpAnswer> opened = new CompletableFuture<>();
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    @Test
    void what_changes_as_soon_as_a_client_sees_its_stream_is_told_on_it() throws Exception {
        try (var server = McpServer.named("test", "1.0").tool(Tools.greet()).serve(new Wire())) {
            var initialize = Served.request(
                    0,
                    "initialize",
                    "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
                            + "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}");
            endpoint.join()
                    .accept(initialize.getBytes(StandardCharsets.UTF_8), new Way(Map.of(), () -> {}))
                    .run();
            var session = Map.of("Mcp-Session-Id", opened.join().headers().get("Mcp-Session-Id"));
            Runnable change = () -> server.addTool(Tool.define("more").handler((none, task) -> "more"));
            Thread.ofVirtual().start(() -> endpoint.join().listen(new Way(session, change)));
            assertThat(told.poll(20, TimeUnit.SECONDS)).contains("notifications/tools/list_changed");
        }
    }

    private final class Wire implements ServerTransport {
        @Override
        public void start(Endpoint served) {
            endpoint.complete(served);
        }

        @Override
        public boolean isLocal() {
            return true;
        }

        @Override
        public void awaitEnd() {}

        @Override
        public void close() {}
    }

    private final class Way implements Exchange {
        private final Map<String, String> headers;
        private final Runnable whenOpen;

        Way(Map<String, String> headers, Runnable whenOpen) {
            this.headers = headers;
            this.whenOpen = whenOpen;
        }

        @Override
        public Principal principal() {
            return Principal.LOCAL;
        }

        @Override
        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name));
        }

        @Override
        public void answer(HttpAnswer answer) {
            opened.complete(answer);
        }

        @Override
        public EventStream stream(Map<String, String> more) {
            whenOpen.run();
            return new Stream();
        }
    }

    private final class Stream implements EventStream {
        @Override
        public void send(@Nullable String eventId, Json message) {
            told.add(message.toString());
        }

        @Override
        public void prime(String eventId, @Nullable Duration retry) {}

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void onGone(Runnable action) {}

        @Override
        public void close() {}
    }
}
