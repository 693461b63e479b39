// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.transport.client.ClientTransport;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.StreamEvent;
import io.longhaul.requestor.FakeServer;
import io.longhaul.requestor.FakeServer.Response;
import io.longhaul.requestor.HandTime;
import io.longhaul.requestor.Registration;
import io.longhaul.requestor.RequestorSettings;
import io.longhaul.requestor.RequestorTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class RequestorTest {

    private static final Optional<StreamEvent> END = Optional.empty();
    private static final Optional<StreamEvent> PING = event("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");

    /** When a server asks for a ping. */
    private enum When {
        BEFORE_IT_ANSWERS_THE_HANDSHAKE,
        BEFORE_THE_CLIENT_HAS_READ_THAT_ANSWER,
        WHEN_THE_CLIENT_IS_READY
    }

    /** A server over a lasting connection that asks for a ping once. */
    private static final class AskingServer implements ClientTransport {
        private final When when;
        private final BlockingQueue<Optional<StreamEvent>> says = new LinkedBlockingQueue<>();
        private final CountDownLatch pingTaken = new CountDownLatch(1);
        private final CountDownLatch answered = new CountDownLatch(1);
        private volatile boolean isReadyAnswered;

        AskingServer(When when) {
            this.when = when;
        }

        @Override
        public boolean isLasting() {
            return true;
        }

        @Override
        public ServerReply send(Json message, Map<String, String> headers) {
            var node = JsonTree.read(message);
            switch (node.path("method").asString("response")) {
                case "initialize" -> {
                    pingIf(When.BEFORE_IT_ANSWERS_THE_HANDSHAKE);
                    says.add(event("{\"jsonrpc\":\"2.0\",\"id\":" + node.path("id")
                            + ",\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                            + "\"serverInfo\":{\"name\":\"fake\",\"version\":\"1\"}}}"));
                    pingIf(When.BEFORE_THE_CLIENT_HAS_READ_THAT_ANSWER);
                }
                case "notifications/initialized" -> {
                    pingIf(When.WHEN_THE_CLIENT_IS_READY);
                    isReadyAnswered = isDoneSoon(answered);
                }
                default -> answered.countDown();
            }
            return new Reply(new LinkedBlockingQueue<>(List.of(END)), new CountDownLatch(1));
        }

        private void pingIf(When now) {
            if (now == when) {
                says.add(PING);
            }
        }

        @Override
        public ServerReply listen(Map<String, String> headers) {
            return new Reply(says, pingTaken);
        }

        @Override
        public ServerReply leave(Map<String, String> headers) {
            return new Reply(new LinkedBlockingQueue<>(List.of(END)), new CountDownLatch(1));
        }

        @Override
        public void close() {
            says.add(END);
        }
    }

    /** @param pingTaken whether the client reads on after a ping */
    private record Reply(BlockingQueue<Optional<StreamEvent>> events, CountDownLatch pingTaken, boolean[] pinged)
            implements ServerReply {
        Reply(BlockingQueue<Optional<StreamEvent>> events, CountDownLatch pingTaken) {
            this(events, pingTaken, new boolean[1]);
        }

        @Override
        public int status() {
            return 202;
        }

        @Override
        public Optional<String> header(String name) {
            return Optional.empty();
        }

        @Override
        public Optional<StreamEvent> next() {
            if (pinged[0]) {
                pingTaken.countDown();
            }
            try {
                var event = events.take();
                pinged[0] = event.equals(PING);
                return event;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
        }

        @Override
        public void close() {
            events.add(END);
        }
    }

    /** Time on which a client goes on from a request that was answered only when it has taken the ping. */
    private record TimeOfPing(CountDownLatch pingTaken) implements RequestorTime {
        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public void pause(Duration duration) {}

        @Override
        public Registration after(Duration duration, Runnable action) {
            return () -> isDoneSoon(pingTaken);
        }

        @Override
        public double chance() {
            return 0;
        }

        @Override
        public String newId() {
            return "id";
        }
    }

    private static Optional<StreamEvent> event(String message) {
        return Optional.of(new StreamEvent(null, null, message.getBytes(StandardCharsets.UTF_8)));
    }

    private static boolean isDoneSoon(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static RequestorSettings settings(RequestorTime time) {
        var usual = FakeServer.settings();
        return new RequestorSettings(
                usual.info(),
                usual.answerer(),
                usual.timeouts(),
                time,
                Optional.of(Generation.V2025_11_25),
                usual.authorizer());
    }

    @Test
    void a_server_that_asks_as_soon_as_it_may_is_answered() throws Exception {
        var server = new AskingServer(When.WHEN_THE_CLIENT_IS_READY);
        try (var requestor = Requestor.open(() -> server, settings(new HandTime()))) {
            assertThat(server.isReadyAnswered).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = "BEFORE_.*", mode = EnumSource.Mode.MATCH_ALL)
    void a_ping_that_comes_before_the_session_is_settled_is_answered(When when) throws Exception {
        var server = new AskingServer(when);
        try (var requestor = Requestor.open(() -> server, settings(new TimeOfPing(server.pingTaken)))) {
            assertThat(server.isReadyAnswered).isTrue();
        }
    }

    @Test
    void a_session_that_a_server_in_trouble_does_not_renew_at_once_is_renewed_later() throws Exception {
        var server = new FakeServer()
                .on(
                        "initialize",
                        Response.initialized("2025-11-25"),
                        Response.status(503),
                        Response.initialized("2025-06-18"))
                .on(
                        "tools/list",
                        Response.supportsOnly("2025-06-18"),
                        Response.supportsOnly("2025-06-18"),
                        Response.result("{\"tools\":[]}"));
        try (var requestor = Requestor.open(() -> server, FakeServer.settings())) {
            assertThat(requestor.ask(new Call.ListTools(null))).isInstanceOf(CallResult.Answered.class);
        }
        assertThat(server.count("initialize")).isEqualTo(3);
    }

    /** Whether a message without a response arrives at a server that answers it with these statuses. */
    private static boolean isDelivered(FakeServer server, int... statuses) throws Exception {
        server.on(
                "notifications/roots/list_changed",
                IntStream.of(statuses).mapToObj(Response::status).toArray(Response[]::new));
        try (var requestor = Requestor.open(() -> server, FakeServer.settings())) {
            return requestor.send(new Call.RootsChanged());
        }
    }

    @Test
    void a_message_without_a_response_is_sent_again_while_the_server_fails() throws Exception {
        var server = FakeServer.of(Generation.V2025_11_25);
        assertThat(isDelivered(server, 500, 408, 202)).isTrue();
        assertThat(server.count("notifications/roots/list_changed")).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"401, false", "403, false", "400, true", "405, true"})
    void a_message_without_a_response_has_not_arrived_where_an_authorization_is_missing(int status, boolean arrived)
            throws Exception {
        var server = FakeServer.of(Generation.V2025_11_25);
        assertThat(isDelivered(server, status)).isEqualTo(arrived);
        assertThat(server.count("notifications/roots/list_changed")).isEqualTo(1);
    }
}
