// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.fakes.Blocking;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.testkit.talk.RawHttp;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HttpStreamsTest {

    private static final String ACCEPT = "Accept: text/event-stream\r\n";

    private final Http http = Http.onPort(0);

    @AfterEach
    void close() {
        http.close();
    }

    private RawHttp client() throws IOException {
        return new RawHttp(http.port());
    }

    @Test
    void events_reach_the_client_one_by_one_as_they_are_sent() throws IOException {
        var read = new CountDownLatch(1);
        http.start(Script.posting((body, exchange) -> {
            try (var stream = exchange.stream(Map.of("X-Session", "s"))) {
                stream.prime("e0", Duration.ofMillis(1500));
                stream.send("e1", Json.raw("{\"a\":\n1}"));
                Blocking.await(read);
                stream.send(null, Json.raw("2"));
            }
        }));
        try (var client = client()) {
            var head = client.post("{}").responseHead();
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.headers())
                    .containsEntry("content-type", "text/event-stream")
                    .containsEntry("cache-control", "no-cache, no-transform")
                    .containsEntry("x-accel-buffering", "no")
                    .containsEntry("x-session", "s");
            assertThat(client.chunk()).isEqualTo(":\n\n");
            assertThat(client.chunk()).isEqualTo("id: e0\nretry: 1500\ndata:\n\n");
            assertThat(client.chunk()).isEqualTo("id: e1\ndata: {\"a\": 1}\n\n");
            read.countDown();
            assertThat(client.chunk()).isEqualTo("data: 2\n\n");
            assertThat(client.chunk()).isEmpty();
            assertThat(client.get(ACCEPT).response().status()).isEqualTo(405);
        }
    }

    @Test
    void an_event_id_cannot_smuggle_in_another_event() throws IOException {
        var refused = new CompletableFuture<Throwable>();
        http.start(Script.listening(exchange -> {
            try (var stream = exchange.stream(Map.of())) {
                stream.send("1\ndata: evil", Json.raw("1"));
            } catch (IllegalArgumentException e) {
                refused.complete(e);
            }
        }));
        try (var client = client()) {
            client.get(ACCEPT).responseHead();
            assertThat(client.chunk()).isEqualTo(":\n\n");
            assertThat(client.chunk()).isEmpty();
        }
        assertThat(refused.join()).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void an_idle_stream_is_kept_alive() throws IOException {
        http.keepAlive(Duration.ofMillis(50)).start(Script.listening(exchange -> exchange.stream(Map.of())));
        try (var client = client()) {
            client.get(ACCEPT).responseHead();
            for (var i = 0; i < 4; i++) {
                assertThat(client.chunk()).isEqualTo(":\n\n");
            }
        }
    }

    @Test
    void a_client_that_leaves_is_noticed_while_nothing_is_sent_and_its_handler_blocks() throws IOException {
        var gone = new CompletableFuture<EventStream>();
        var count = new AtomicInteger();
        http.start(Script.posting((body, exchange) -> {
            var stream = exchange.stream(Map.of());
            stream.onGone(() -> {
                count.incrementAndGet();
                gone.complete(stream);
            });
            gone.join();
        }));
        try (var client = client()) {
            client.post("{}").responseHead();
            client.chunk();
        }
        var stream = gone.join();
        assertThat(stream.isOpen()).isFalse();
        assertThatThrownBy(() -> stream.send(null, Json.EMPTY_OBJECT)).isInstanceOf(PeerGoneException.class);
        stream.close();
        stream.onGone(count::incrementAndGet);
        assertThat(count).hasValue(2);
    }

    @Test
    void the_connection_of_a_client_that_left_its_stream_ends_while_the_handler_works_on() throws IOException {
        var workEnds = new CountDownLatch(1);
        http.start(Script.posting((body, exchange) -> {
            exchange.stream(Map.of()).send(null, Json.raw("1"));
            Blocking.await(workEnds);
        }));
        try (var client = client()) {
            client.post("{}").responseHead();
            client.chunk();
            client.chunk();
            client.endInput();
            assertThat(client.isClosedByServer()).isTrue();
        } finally {
            workEnds.countDown();
        }
    }

    @Test
    void a_stream_that_was_closed_never_says_that_its_client_left() throws IOException {
        var count = new AtomicInteger();
        var streams = new ArrayList<EventStream>();
        http.start(Script.posting((body, exchange) -> {
            var stream = exchange.stream(Map.of());
            stream.onGone(count::incrementAndGet);
            stream.close();
            stream.close();
            streams.add(stream);
        }));
        try (var client = client()) {
            client.post("{}").responseHead();
            client.chunk();
            assertThat(client.chunk()).isEmpty();
            // What is written after the end would be taken for the next answer.
            assertThat(client.get(ACCEPT).response().status()).isEqualTo(405);
        }
        http.close();
        streams.getFirst().onGone(count::incrementAndGet);
        assertThat(count).hasValue(0);
    }

    @Test
    void requests_sent_while_a_stream_is_open_are_served_after_it() throws IOException {
        var second = new CountDownLatch(1);
        http.start(Script.posting((body, exchange) -> {
            if (body.length > 1) {
                exchange.answer(new WholeResponse(200, Json.raw(body)));
                return;
            }
            try (var stream = exchange.stream(Map.of())) {
                Blocking.await(second);
                stream.send(null, Json.raw(body));
            }
        }));
        try (var client = client()) {
            client.post("1").responseHead();
            client.chunk();
            client.post("22").post("333");
            second.countDown();
            assertThat(client.chunk()).isEqualTo("data: 1\n\n");
            assertThat(client.chunk()).isEmpty();
            assertThat(client.response().body()).isEqualTo("22");
            assertThat(client.response().body()).isEqualTo("333");
            client.post("4").responseHead();
            client.chunk();
            assertThat(client.chunk()).isEqualTo("data: 4\n\n");
        }
    }

    @Test
    void a_client_that_stops_reading_is_given_up_without_holding_up_others() throws IOException {
        var gone = new CountDownLatch(1);
        http.timeout(Duration.ofMillis(300)).start(Script.listening(exchange -> {
            var stream = exchange.stream(Map.of());
            stream.onGone(gone::countDown);
            var big = Json.raw("\"" + "x".repeat(1 << 20) + "\"");
            while (stream.isOpen()) {
                try {
                    stream.send(null, big);
                } catch (PeerGoneException e) {
                    return;
                }
            }
        }));
        try (var stuck = client();
                var other = client()) {
            stuck.get(ACCEPT).responseHead();
            assertThat(other.post("{}").response().status()).isEqualTo(200);
            Blocking.await(gone);
        }
    }

    @Test
    void two_hundred_streams_are_open_at_once_and_each_gets_its_own_events() throws IOException {
        var count = 200;
        var open = new CountDownLatch(count);
        http.start(Script.posting((body, exchange) -> {
            try (var stream = exchange.stream(Map.of())) {
                open.countDown();
                Blocking.await(open);
                stream.send(null, Json.raw(body));
            }
        }));
        var clients = new ArrayList<RawHttp>();
        try {
            for (var i = 0; i < count; i++) {
                clients.add(client().post(String.valueOf(i)));
            }
            for (var i = 0; i < count; i++) {
                clients.get(i).responseHead();
                clients.get(i).chunk();
                assertThat(clients.get(i).chunk()).isEqualTo("data: " + i + "\n\n");
            }
        } finally {
            for (var client : clients) {
                client.close();
            }
        }
    }

    @Test
    void concurrent_senders_of_one_stream_never_mix_their_events() throws IOException {
        http.start(Script.posting((body, exchange) -> {
            try (var stream = exchange.stream(Map.of())) {
                var threads = new ArrayList<Thread>();
                for (var i = 0; i < 500; i++) {
                    var event = Json.raw("\"" + i + "x".repeat(200) + "\"");
                    threads.add(Thread.ofVirtual().start(() -> stream.send(null, event)));
                }
                for (var thread : threads) {
                    Blocking.join(thread);
                }
            }
        }));
        try (var client = client()) {
            client.post("{}").responseHead();
            client.chunk();
            for (var i = 0; i < 500; i++) {
                assertThat(client.chunk()).matches("data: \"\\d+x{200}\"\n\n");
            }
            assertThat(client.chunk()).isEmpty();
        }
    }

    @Test
    void closing_the_server_ends_open_streams_properly_and_soon() throws IOException {
        http.start(Script.listening(exchange -> exchange.stream(Map.of())));
        try (var client = client()) {
            client.get(ACCEPT).responseHead();
            client.chunk();
            var before = System.nanoTime();
            http.close();
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(1));
            assertThat(client.chunk()).isEmpty();
            assertThat(client.isClosedByServer()).isTrue();
        }
    }
}
