// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.testkit.talk.RawHttp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No answer waits for a client to acknowledge its first half. */
@Timeout(60)
class WritesTest {

    private final Http http = Http.onPort(0);
    private final List<Integer> writes = new CopyOnWriteArrayList<>();
    private final List<Boolean> undelayed = new CopyOnWriteArrayList<>();

    /** Notes the size of each write. */
    private record Counted(Wire wire, List<Integer> sizes) implements Wire {

        @Override
        public int read(ByteBuffer into) throws IOException {
            return wire.read(into);
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            sizes.add(bytes.remaining());
            wire.write(bytes);
        }

        @Override
        public void shutdownOutput() throws IOException {
            wire.shutdownOutput();
        }

        @Override
        public void reset() {
            wire.reset();
        }

        @Override
        public void close() {
            wire.close();
        }

        @Override
        public InetAddress address() {
            return wire.address();
        }
    }

    @BeforeEach
    void count() {
        http.wiring(this::counted);
    }

    private Wire counted(SocketChannel channel) throws IOException {
        var wire = Wire.of(channel);
        undelayed.add(channel.getOption(StandardSocketOptions.TCP_NODELAY));
        return new Counted(wire, writes);
    }

    @AfterEach
    void close() {
        http.close();
    }

    @Test
    void an_answer_goes_out_with_its_head_in_one_write() throws IOException {
        http.start(Script.posting((body, exchange) -> exchange.answer(new WholeResponse(
                200, Json.raw("\"" + "x".repeat(Integer.parseInt(text(body))) + "\"")))));
        try (var client = new RawHttp(http.port())) {
            for (var size : new int[] {10, 8_000, 9_000, 60_000}) {
                writes.clear();
                assertThat(client.post(String.valueOf(size)).response().body()).hasSize(size + 2);
                assertThat(writes).as("writes of %s bytes", size).hasSize(1);
            }
        }
    }

    private static String text(byte[] body) {
        return new String(body, java.nio.charset.StandardCharsets.US_ASCII);
    }

    @Test
    void a_large_answer_goes_out_in_pieces_that_are_full() throws IOException {
        var large = Json.raw("\"" + "x".repeat(1_000_000) + "\"");
        http.start(Script.posting((body, exchange) -> exchange.answer(new WholeResponse(200, large))));
        try (var client = new RawHttp(http.port())) {
            assertThat(client.post("{}").response().body()).hasSize(1_000_002);
        }
        assertThat(writes).hasSize(16);
        assertThat(writes.subList(0, 15)).containsOnly(HttpConnection.PIECE_BYTES);
    }

    @Test
    void an_event_is_one_write_and_the_first_one_takes_the_head_with_it() throws IOException {
        var event = Json.raw("\"" + "x".repeat(9_000) + "\"");
        http.start(Script.posting((body, exchange) -> {
            try (var stream = exchange.stream(Map.of())) {
                stream.send("1", event);
                stream.send("2", event);
            }
        }));
        try (var client = new RawHttp(http.port())) {
            client.post("{}").responseHead();
            for (var chunk = client.chunk(); !chunk.isEmpty(); chunk = client.chunk()) {
                assertThat(chunk).endsWith("\n\n");
            }
        }
        // The head with its comment, two events, the end.
        assertThat(writes).hasSize(4);
    }

    @Test
    void a_refusal_is_one_write() throws IOException {
        http.start(Script.ECHO);
        for (var request : new String[] {RawHttp.head("PUT", "\r\n"), "nonsense\r\n\r\n"}) {
            writes.clear();
            try (var client = new RawHttp(http.port())) {
                client.send(request).response();
            }
            assertThat(writes).hasSize(1);
        }
    }

    @Test
    void no_connection_holds_back_what_was_written() throws IOException {
        http.start(Script.ECHO);
        try (var client = new RawHttp(http.port())) {
            client.post("{}").response();
        }
        assertThat(undelayed).containsExactly(true);
    }
}
