// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.testkit.talk.RawHttp;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that works on behind its answer: to "stay", "stream" and "fail". All else is answered with itself. */
@Timeout(60)
class DetachedThreadsTest {

    private static final int PIPELINED = 200;

    private final Http http = Http.onPort(0);
    private final CountDownLatch workEnds = new CountDownLatch(1);
    private final CountDownLatch workEnded = new CountDownLatch(1);

    @BeforeEach
    void serve() {
        http.start(Script.posting((body, exchange) -> {
            switch (new String(body, UTF_8)) {
                case "stay" -> work(() -> exchange.answer(new WholeResponse(200, Json.raw("1"))), exchange, false);
                case "fail" -> work(() -> exchange.answer(new WholeResponse(200, Json.raw("1"))), exchange, true);
                case "stream" -> {
                    var stream = exchange.stream(Map.of());
                    stream.send(null, Json.raw("1"));
                    work(stream::close, exchange, false);
                }
                default -> exchange.answer(new WholeResponse(200, Json.raw(body)));
            }
        }));
    }

    @AfterEach
    void close() {
        workEnds.countDown();
        http.close();
    }

    private void work(Runnable answer, Exchange exchange, boolean fails) {
        answer.run();
        exchange.detaching().orElseThrow().run();
        try {
            workEnds.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            workEnded.countDown();
        }
        if (fails) {
            throw new IllegalStateException("the work behind the answer failed");
        }
    }

    @Test
    void the_connection_goes_on_while_the_thread_works_and_when_the_work_has_ended() throws Exception {
        try (var client = new RawHttp(http.port())) {
            assertThat(client.post("stay").response().body()).isEqualTo("1");
            assertThat(client.post("2").response().body()).isEqualTo("2");
            workEnds.countDown();
            workEnded.await();
            for (var i = 0; i < PIPELINED; i++) {
                client.post(String.valueOf(i));
            }
            for (var i = 0; i < PIPELINED; i++) {
                assertThat(client.response().body()).isEqualTo(String.valueOf(i));
            }
        }
    }

    @Test
    void requests_that_came_with_the_one_before_are_answered_in_order() throws Exception {
        try (var client = new RawHttp(http.port())) {
            client.post("stay").post("2").post("3");
            assertThat(client.response().body()).isEqualTo("1");
            assertThat(client.response().body()).isEqualTo("2");
            assertThat(client.response().body()).isEqualTo("3");
        }
    }

    @Test
    void the_connection_goes_on_behind_a_stream_that_was_the_answer() throws Exception {
        try (var client = new RawHttp(http.port())) {
            client.post("stream");
            assertThat(client.responseHead().status()).isEqualTo(200);
            assertThat(client.chunk()).isEqualTo(":\n\n");
            assertThat(client.chunk()).contains("data: 1");
            assertThat(client.chunk()).isEmpty();
            assertThat(client.post("2").response().body()).isEqualTo("2");
        }
    }

    @Test
    void work_that_fails_behind_its_answer_is_not_answered_twice() throws Exception {
        try (var client = new RawHttp(http.port())) {
            assertThat(client.post("fail").response().body()).isEqualTo("1");
            workEnds.countDown();
            workEnded.await();
            assertThat(client.post("2").response().body()).isEqualTo("2");
        }
    }

    @Test
    void a_connection_that_is_to_end_ends_while_the_thread_works() throws IOException {
        try (var client = new RawHttp(http.port())) {
            assertThat(client.post("stay", "Connection: close\r\n").response().headers())
                    .containsEntry("connection", "close");
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void a_server_that_ends_waits_for_no_thread_that_works_behind_its_answer() throws IOException {
        try (var client = new RawHttp(http.port())) {
            assertThat(client.post("stay").response().body()).isEqualTo("1");
            http.close();
            assertThat(client.isClosedByServer()).isTrue();
        }
    }
}
