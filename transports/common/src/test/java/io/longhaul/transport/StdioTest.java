// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.fakes.Blocking;
import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Connection;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.WholeResponse;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StdioTest {

    private static final WireLimits SMALL = new WireLimits(32, 64, 1, Duration.ofHours(1), 1);

    /** Accepts every message by a function; counts how often it was told of the end. */
    private static final class Recorder implements Endpoint {
        private final BiFunction<byte[], Exchange, Runnable> behaviour;
        private final AtomicInteger closed = new AtomicInteger();
        private final CountDownLatch inputEnded = new CountDownLatch(1);

        Recorder(BiFunction<byte[], Exchange, Runnable> behaviour) {
            this.behaviour = behaviour;
        }

        @Override
        public Runnable accept(byte[] message, Exchange exchange) {
            return behaviour.apply(message, exchange);
        }

        @Override
        public void listen(Exchange exchange) {
            throw new AssertionError();
        }

        @Override
        public void leave(Exchange exchange) {
            throw new AssertionError();
        }

        @Override
        public void inputEnded(Connection connection) {
            inputEnded.countDown();
        }

        @Override
        public void closed(Connection connection) {
            closed.incrementAndGet();
        }
    }

    private static final Recorder ECHO = echo();

    private static Recorder echo() {
        return new Recorder((message, exchange) -> () -> exchange.answer(new WholeResponse(200, Json.raw(message))));
    }

    private static List<String> serve(byte[] input, WireLimits limits, Endpoint endpoint) throws Exception {
        var out = new ByteArrayOutputStream();
        try (var stdio = Stdio.over(new ByteArrayInputStream(input), out, limits)) {
            stdio.start(endpoint);
            stdio.awaitEnd();
        }
        return out.toString(UTF_8).lines().toList();
    }

    @Test
    void each_line_is_one_message_whatever_ends_it_and_blank_lines_are_none() throws Exception {
        var answers = serve("{\"a\":1}\n\r\n  \n{\"b\":2}\r\n{\"c\":3}".getBytes(UTF_8), SMALL, ECHO);

        assertThat(answers).containsExactlyInAnyOrder("{\"a\":1}", "{\"b\":2}", "{\"c\":3}");
    }

    @Test
    void messages_are_accepted_in_order_while_their_answers_may_overtake_each_other() throws Exception {
        var seen = new CopyOnWriteArrayList<String>();
        var secondAnswered = new CountDownLatch(1);
        var endpoint = new Recorder((message, exchange) -> {
            seen.add(new String(message, UTF_8));
            var first = seen.size() == 1;
            return () -> {
                if (first) {
                    Blocking.await(secondAnswered);
                }
                exchange.answer(new WholeResponse(200, Json.raw(message)));
                secondAnswered.countDown();
            };
        });

        var answers = serve("1\n2\n".getBytes(UTF_8), SMALL, endpoint);

        assertThat(seen).containsExactly("1", "2");
        assertThat(answers).containsExactly("2", "1");
    }

    @Test
    void an_answer_that_cannot_be_written_has_not_gone_out() throws Exception {
        var lost = new CountDownLatch(1);
        var endpoint = new Recorder((message, exchange) -> () -> {
            assertThatThrownBy(() -> exchange.answer(new WholeResponse(200, Json.raw(message))))
                    .isInstanceOf(PeerGoneException.class);
            lost.countDown();
        });
        var closed = new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                throw new IOException("the client has closed its end");
            }
        };
        try (var stdio = Stdio.over(new ByteArrayInputStream("1\n".getBytes(UTF_8)), closed, SMALL)) {
            stdio.start(endpoint);
            Blocking.await(lost);
        }
    }

    @Test
    void a_line_over_the_limit_is_refused_without_ending_the_connection() throws Exception {
        var input = "x".repeat(1_000_000) + "\n" + "y".repeat(33) + "\n" + "z".repeat(32) + "\r\n";

        var answers = serve(input.getBytes(UTF_8), SMALL, ECHO);

        var refusal = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":"
                + "\"A message may have at most 32 bytes: send less at once\"}}";
        assertThat(answers).containsExactlyInAnyOrder(refusal, refusal, "z".repeat(32));
    }

    @Test
    void invalid_utf8_is_passed_on_for_the_codec_to_refuse() throws Exception {
        var seen = new CopyOnWriteArrayList<byte[]>();

        serve(new byte[] {(byte) 0xff, (byte) 0xc0, '\n'}, SMALL, new Recorder((message, exchange) -> {
            seen.add(message);
            return () -> {};
        }));

        assertThat(seen).containsExactly(new byte[] {(byte) 0xff, (byte) 0xc0});
    }

    @Test
    void a_failing_endpoint_does_not_end_the_connection() throws Exception {
        var answers = serve("bad\nworse\ngood\n".getBytes(UTF_8), SMALL, new Recorder((message, exchange) -> {
            var text = new String(message, UTF_8);
            if (text.equals("bad")) {
                throw new IllegalStateException(text);
            }
            return () -> {
                if (text.equals("worse")) {
                    throw new IllegalStateException(text);
                }
                exchange.answer(new WholeResponse(200, Json.raw(message)));
            };
        }));

        assertThat(answers).containsExactly("good");
    }

    @Test
    void a_relay_is_told_of_each_message_when_the_server_is_done_with_it_and_never_of_one_that_failed()
            throws Exception {
        var thirdIsTold = new CountDownLatch(1);
        var pipe = new PipedOutputStream();
        var told = new BufferedReader(new InputStreamReader(new PipedInputStream(pipe), UTF_8));
        var lines = ("slow\n" + "x".repeat(33) + "\nquick\nbad\n").getBytes(UTF_8);
        try (var stdio = Stdio.acknowledging(new ByteArrayInputStream(lines), pipe, SMALL)) {
            stdio.start(new Recorder((message, exchange) -> () -> {
                switch (new String(message, UTF_8)) {
                    case "slow" -> Blocking.await(thirdIsTold);
                    case "bad" -> throw new IllegalStateException("not stored");
                    default -> {
                        // Done at once.
                    }
                }
            }));
            assertThat(told.readLine()).contains("at most 32 bytes");
            assertThat(told.readLine()).isEqualTo(taken(3));
            thirdIsTold.countDown();
            stdio.awaitEnd();
        }
        pipe.close();
        assertThat(told.lines()).containsExactly(taken(1));
    }

    private static String taken(long number) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/io.longhaul/taken\",\"params\":{\"message\":" + number
                + "}}";
    }

    @Test
    void ten_thousand_concurrent_sends_arrive_whole_and_none_is_lost() throws Exception {
        var count = 10_000;
        var padding = "x".repeat(300);
        var endpoint = new Recorder((message, exchange) -> () -> {
            var outlet = exchange.connection().orElseThrow().outlet();
            var threads = IntStream.range(0, count)
                    .mapToObj(i -> Thread.ofVirtual().start(() -> outlet.send(null, Json.raw(i + padding))))
                    .toList();
            threads.forEach(Blocking::join);
        });

        var lines = serve("go\n".getBytes(UTF_8), SMALL, endpoint);

        assertThat(lines)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, count).mapToObj(i -> i + padding).toList());
    }

    @Test
    void a_line_break_inside_of_a_message_cannot_split_it() throws Exception {
        var lines = serve(
                "go\n".getBytes(UTF_8),
                SMALL,
                new Recorder((message, exchange) ->
                        () -> exchange.answer(new WholeResponse(200, Json.raw("{\n\"a\":\r\n1}")))));

        assertThat(lines).containsExactly("{ \"a\":  1}");
    }

    @Test
    void the_endpoint_is_told_once_of_the_end_and_the_stream_says_that_the_client_left() throws Exception {
        var connections = new CopyOnWriteArrayList<Connection>();
        var gone = new AtomicInteger();
        var endpoint = new Recorder((message, exchange) -> {
            assertThat(exchange.principal()).isEqualTo(Principal.LOCAL);
            assertThat(exchange.header("Host")).isEmpty();
            connections.add(exchange.connection().orElseThrow());
            var stream = exchange.stream(Map.of());
            stream.close();
            stream.onGone(gone::incrementAndGet);
            return () -> assertThat(stream.isOpen()).isTrue();
        });

        serve("go\n".getBytes(UTF_8), SMALL, endpoint);

        var outlet = connections.getFirst().outlet();
        outlet.onGone(gone::incrementAndGet);
        assertThat(endpoint.closed).hasValue(1);
        assertThat(gone).hasValue(2);
        assertThat(outlet.isOpen()).isFalse();
        assertThatThrownBy(() -> outlet.send(null, Json.EMPTY_OBJECT)).isInstanceOf(PeerGoneException.class);
    }

    @Test
    void what_was_asked_before_the_end_of_input_is_answered_before_the_connection_ends() throws Exception {
        var self = new AtomicReference<Recorder>();
        var closedBefore = new AtomicInteger();
        var endpoint = new Recorder((message, exchange) -> () -> {
            Blocking.await(self.get().inputEnded);
            closedBefore.addAndGet(self.get().closed.get());
            exchange.answer(new WholeResponse(200, Json.raw(message)));
        });
        self.set(endpoint);

        assertThat(serve("1\n2\n".getBytes(UTF_8), SMALL, endpoint)).containsExactlyInAnyOrder("1", "2");

        assertThat(closedBefore).hasValue(0);
        assertThat(endpoint.closed).hasValue(1);
    }

    @Test
    void a_broken_standard_output_ends_the_connection_while_the_input_is_still_open() throws Exception {
        var broken = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        var input = new PipedOutputStream();
        var endpoint = echo();
        try (var stdio = Stdio.over(new PipedInputStream(input), broken, SMALL)) {
            stdio.start(endpoint);
            input.write("go\n".getBytes(UTF_8));
            input.flush();
            stdio.awaitEnd();
        }
        assertThat(endpoint.closed).hasValue(1);
    }

    @Test
    void nothing_but_the_protocol_reaches_standard_output() throws Exception {
        var process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ChattyServer.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var in = process.getOutputStream();
                var out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            in.write("{}\n".getBytes(UTF_8));
            in.flush();
            assertThat(out.readLine()).isEqualTo("{}");
            in.close();
            assertThat(out.readLine()).isNull();
            assertThat(process.waitFor()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    /** A server whose author prints. */
    public static final class ChattyServer {
        private ChattyServer() {}

        public static void main(String[] args) throws InterruptedException {
            run();
        }

        private static void run() throws InterruptedException {
            try (var stdio = Stdio.standard()) {
                stdio.start(new Recorder((message, exchange) -> {
                    System.out.println("noise");
                    return () -> exchange.answer(new WholeResponse(200, Json.raw(message)));
                }));
                stdio.awaitEnd();
            }
        }
    }
}
