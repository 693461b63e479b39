// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.TransportLoad;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.testkit.talk.RawHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that take places, descriptors or memory, and give nothing. */
@Timeout(60)
class ConnectionLimitTest {

    private static final Json LARGE = Json.raw("\"" + "x".repeat(32 << 20) + "\"");

    private final Http http = Http.onPort(0);
    private final List<RawHttp> clients = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        http.close();
        for (var client : clients) {
            client.close();
        }
    }

    private RawHttp client() throws IOException {
        return client("127.0.0.1");
    }

    private RawHttp client(String from) throws IOException {
        var client = new RawHttp(http.port(), from);
        clients.add(client);
        return client;
    }

    /** A client whose stream is open. */
    private RawHttp listener(String from) throws IOException {
        var client = client(from).get("Accept: text/event-stream\r\n");
        assertThat(client.responseHead().status()).isEqualTo(200);
        client.chunk();
        return client;
    }

    private static Script streams() {
        return Script.listening(exchange -> exchange.stream(Map.of()));
    }

    @Test
    void open_connections_and_streams_are_counted() throws IOException {
        http.start(streams());
        assertThat(http.load()).isEqualTo(TransportLoad.NONE);
        listener("127.0.0.1");
        listener("127.0.0.1");
        assertThat(http.load()).isEqualTo(new TransportLoad(2, 2));
    }

    @Test
    void where_places_run_short_the_longest_idle_connection_gives_up_its_own() throws IOException {
        http.openConnections(2).start(Script.ECHO);
        var silent = client();
        var used = client();
        assertThat(used.post("{}").response().status()).isEqualTo(200);
        assertThat(client().post("{}").response().status()).isEqualTo(200);
        assertThat(silent.isClosedByServer()).isTrue();
        assertThat(used.post("{}").response().status()).isEqualTo(200);
    }

    @Test
    void half_a_request_is_no_reason_to_keep_a_place() throws IOException {
        http.openConnections(2).start(streams());
        var half = client().send("POST /mcp HTTP/1.1\r\nHost: loc");
        listener("127.0.0.1");
        assertThat(client().post("{}").response().status()).isEqualTo(200);
        assertThat(half.isClosedByServer()).isTrue();
    }

    @Test
    void a_request_that_is_served_keeps_its_place_and_the_newcomer_is_told_to_come_back() throws IOException {
        http.openConnections(2).start(streams());
        var one = listener("127.0.0.1");
        var two = listener("127.0.0.1");
        var refused = client().response();
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.headers()).containsEntry("retry-after", "1").containsEntry("connection", "close");
        assertThat(refused.body()).contains("-32600", "Too many connections are open");
        one.close();
        http.close();
        assertThat(two.chunk()).isEmpty();
    }

    @Test
    void a_connection_whose_request_was_read_since_it_was_looked_at_is_not_cut() throws IOException {
        var client = new ConnectionLimitThreadsTest.Client();
        var seen = client.connection.since();
        client.connection.requestRead();
        assertThat(client.connection.cut(seen)).isFalse();
        assertThat(client.isClosed).isFalse();
    }

    @Test
    void a_request_that_is_read_when_its_connection_was_cut_is_not_served() {
        var client = new ConnectionLimitThreadsTest.Client();
        assertThat(client.connection.cut(client.connection.since())).isTrue();
        assertThatThrownBy(client.connection::requestRead).isInstanceOf(IOException.class);
    }

    @Test
    void a_connection_is_closed_when_it_has_been_without_a_request_for_five_minutes() {
        var client = new ConnectionLimitThreadsTest.Client();
        var since = client.connection.since().nanos();
        var idle = Duration.ofMinutes(5).toNanos();
        client.connection.look(since + idle, 1);
        assertThat(client.isClosed).isFalse();
        client.connection.look(since + idle + 1, 1);
        assertThat(client.isClosed).isTrue();
    }

    @Test
    void a_connection_whose_request_is_served_is_not_idle() throws IOException {
        var client = new ConnectionLimitThreadsTest.Client();
        client.connection.requestRead();
        client.connection.look(
                client.connection.since().nanos() + Duration.ofDays(1).toNanos(), 1);
        assertThat(client.isClosed).isFalse();
    }

    @Test
    void a_client_that_leaves_gives_its_place_to_the_next_one() throws IOException {
        http.openConnections(1).start(Script.ECHO);
        for (var i = 0; i < 20; i++) {
            try (var client = new RawHttp(http.port())) {
                assertThat(client.post("{}", "Connection: close\r\n").response().status())
                        .isEqualTo(200);
                assertThat(client.isClosedByServer()).isTrue();
            }
        }
    }

    @Test
    void one_network_address_cannot_take_all_places() throws IOException {
        http.bindAddress("0.0.0.0").openConnections(4).start(streams());
        for (var i = 0; i < 3; i++) {
            listener("127.0.0.1");
        }
        assertThat(client().response().status()).isEqualTo(503);
        listener("127.0.0.2");
        assertThat(client("127.0.0.3").response().status()).isEqualTo(503);
    }

    @Test
    void a_newcomer_of_another_address_gets_the_place_of_who_is_idle() throws IOException {
        http.bindAddress("0.0.0.0").openConnections(4).start(streams());
        var silent = client("127.0.0.2");
        for (var i = 0; i < 3; i++) {
            listener("127.0.0.1");
        }
        assertThat(client("127.0.0.3").post("{}").response().status()).isEqualTo(200);
        assertThat(silent.isClosedByServer()).isTrue();
    }

    @Test
    void on_a_loopback_address_all_places_are_those_of_this_machine() throws IOException {
        http.openConnections(4).start(streams());
        for (var i = 0; i < 4; i++) {
            listener("127.0.0.1");
        }
        assertThat(client().response().status()).isEqualTo(503);
    }

    @Test
    void places_are_a_number_that_can_be_meant() {
        assertThatThrownBy(() -> http.openConnections(0)).hasMessageContaining("not 0");
        assertThat(ConnectionLimit.within(7)).isEqualTo(7);
        assertThat(ConnectionLimit.within(Integer.MAX_VALUE)).isLessThan(Integer.MAX_VALUE);
    }

    @Test
    void a_client_that_does_not_read_a_plain_answer_is_cut_off() throws Exception {
        var gone = new CountDownLatch(1);
        http.timeout(Duration.ofMillis(300)).start(answering(gone));
        var stuck = client().post("{}");
        gone.await();
        assertThatThrownBy(stuck::rest).isInstanceOf(SocketException.class);
    }

    @Test
    void clients_that_do_not_read_are_cut_early_where_they_hold_much_memory() throws Exception {
        var gone = new CountDownLatch(8);
        http.timeout(Duration.ofHours(1)).held(1 << 20).start(answering(gone));
        for (var i = 0; i < 8; i++) {
            client().post("{}");
        }
        gone.await();
    }

    @Test
    void clients_that_do_not_send_on_are_cut_early_where_they_hold_much_memory() throws Exception {
        http.timeout(Duration.ofHours(1)).held(400_000).start(Script.ECHO);
        for (var i = 0; i < 2; i++) {
            client().send(RawHttp.head("POST", "Content-Type: application/json\r\nContent-Length: 1000000\r\n") + "\r\n"
                    + "x".repeat(500_000));
        }
        for (var client : clients) {
            assertThat(client.isClosedByServer()).isTrue();
        }
        assertThat(client().post("{}").response().status()).isEqualTo(200);
    }

    @Test
    void a_slow_client_is_waited_for_as_long_as_it_reads() throws Exception {
        http.timeout(Duration.ofSeconds(5)).start(answering(new CountDownLatch(1)));
        assertThat(client().post("{}").response().body()).hasSize(LARGE.size());
    }

    private static Script answering(CountDownLatch gone) {
        return Script.posting((body, exchange) -> {
            try {
                exchange.answer(new WholeResponse(200, LARGE));
            } catch (PeerGoneException e) {
                gone.countDown();
                throw e;
            }
        });
    }

    @Test
    void a_listener_that_can_take_no_connection_any_more_says_so() throws Exception {
        var told = new CompletableFuture<Throwable>();
        try (var channel = Listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                var listener = new Listener(channel, client -> {}, () -> {})) {
            listener.start(told::complete);
            channel.close();
            assertThat(told.get()).isInstanceOf(IOException.class);
        }
    }

    @Test
    void a_listener_that_is_closed_has_not_failed() throws Exception {
        var told = new CompletableFuture<Throwable>();
        var channel = Listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        var listener = new Listener(channel, client -> {}, () -> {});
        var thread = listener.start(told::complete);
        listener.close();
        thread.join();
        assertThat(told).isNotDone();
    }

    @Test
    void who_waits_for_the_end_of_a_server_is_told_that_it_was_no_good_one() {
        http.start(Script.ECHO);
        http.failed(new IOException("no more"));
        assertThatThrownBy(http::awaitEnd)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContainingAll(
                        "No connection can be taken any more at http://127.0.0.1:", "no more", "again");
    }
}
