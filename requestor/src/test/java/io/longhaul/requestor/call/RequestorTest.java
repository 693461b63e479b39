package io.longhaul.requestor.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.transport.ClientTransport;
import io.longhaul.protocol.transport.ServerEvent;
import io.longhaul.protocol.transport.ServerReply;
import io.longhaul.requestor.FakeServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RequestorTest {

    /** A server over a lasting connection that asks for a ping when it may, and goes on when that is answered. */
    private static final class AskingServer implements ClientTransport {
        private final BlockingQueue<Optional<ServerEvent>> says = new LinkedBlockingQueue<>();
        private final CountDownLatch answered = new CountDownLatch(1);
        private volatile boolean wasAnswered;

        private void say(String message) {
            says.add(Optional.of(new ServerEvent(null, null, message.getBytes(StandardCharsets.UTF_8))));
        }

        @Override
        public boolean isLasting() {
            return true;
        }

        @Override
        public ServerReply send(Json message, Map<String, String> headers) {
            var node = JsonTree.read(message);
            switch (node.path("method").asString("response")) {
                case "server/discover" ->
                    say("{\"jsonrpc\":\"2.0\",\"id\":" + node.path("id")
                            + ",\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}");
                case "initialize" ->
                    say("{\"jsonrpc\":\"2.0\",\"id\":" + node.path("id")
                            + ",\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                            + "\"serverInfo\":{\"name\":\"fake\",\"version\":\"1\"}}}");
                case "notifications/initialized" -> {
                    say("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
                    wasAnswered = isAnswered();
                }
                default -> answered.countDown();
            }
            return new Reply(new LinkedBlockingQueue<>(List.of(Optional.empty())));
        }

        private boolean isAnswered() {
            try {
                return answered.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        @Override
        public ServerReply listen(Map<String, String> headers) {
            return new Reply(says);
        }

        @Override
        public ServerReply leave(Map<String, String> headers) {
            return new Reply(new LinkedBlockingQueue<>(List.of(Optional.empty())));
        }

        @Override
        public void close() {
            says.add(Optional.empty());
        }
    }

    private record Reply(BlockingQueue<Optional<ServerEvent>> events) implements ServerReply {
        @Override
        public int status() {
            return 202;
        }

        @Override
        public Optional<String> header(String name) {
            return Optional.empty();
        }

        @Override
        public Optional<ServerEvent> next() {
            try {
                return events.take();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
        }

        @Override
        public void close() {
            events.add(Optional.empty());
        }
    }

    @Test
    void a_server_that_asks_as_soon_as_it_may_is_answered() throws Exception {
        var server = new AskingServer();
        try (var requestor = Requestor.open(() -> server, FakeServer.settings())) {
            assertThat(server.wasAnswered).isTrue();
        }
    }
}
