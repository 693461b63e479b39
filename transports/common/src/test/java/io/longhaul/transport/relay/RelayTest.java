// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.rpc.QuestionRanges;
import io.longhaul.transport.socket.ServerLink;
import io.longhaul.transport.socket.SocketProtocol;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A relay between a host and servers that die at exact points. */
@Timeout(60)
class RelayTest {

    private static final String QUESTION = "{\"jsonrpc\":\"2.0\",\"id\":"
            + QuestionRanges.ofTask(1).value() + ",\"method\":\"elicitation/create\",\"params\":{}}";
    private static final String ANSWER =
            "{\"jsonrpc\":\"2.0\",\"id\":" + QuestionRanges.ofTask(1).value() + ",\"result\":{}}";
    private static final String CANCEL = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tasks/cancelled\"}";
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

    @TempDir
    Path folder;

    private final LinkedBlockingQueue<ServerLink> servers = new LinkedBlockingQueue<>();
    private ServerSocketChannel listener;
    private PrintStream toRelay;
    private BufferedReader fromRelay;
    private Relay relay;
    private Thread running;

    @BeforeEach
    void start() throws IOException {
        listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(UnixDomainSocketAddress.of(folder.resolve("s")));
        var in = new PipedInputStream();
        toRelay = new PrintStream(new PipedOutputStream(in), true, UTF_8);
        var out = new PipedOutputStream();
        fromRelay = new BufferedReader(new InputStreamReader(new PipedInputStream(out), UTF_8));
        relay = Relay.over(in, out, "w", tool -> true, WireLimits.DEFAULT);
        running = run(servers::take);
    }

    private Thread run(Relay.Servers from) {
        var started = relay;
        return Thread.ofPlatform().start(() -> {
            try {
                started.run(from);
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @AfterEach
    void end() throws Exception {
        relay.close();
        running.join();
        listener.close();
    }

    @Test
    void an_answer_that_a_server_has_read_and_not_stored_is_given_to_the_next_one_and_the_host_answers_once()
            throws Exception {
        try (var first = new Server()) {
            first.say(QUESTION);
            assertThat(fromRelay.readLine()).isEqualTo(QUESTION);
            toRelay.println(ANSWER);
            assertThat(first.heard()).isEqualTo(ANSWER);
        }
        try (var second = new Server()) {
            assertThat(second.heard()).isEqualTo(ANSWER);
            second.say(SocketProtocol.taken(1).toString());
            toRelay.println(PING);
            assertThat(second.heard()).isEqualTo(PING);
            // The relay has read what came before the response once the host has the response.
            second.say("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
            assertThat(fromRelay.readLine()).contains("\"id\":1");
        }
        try (var third = new Server()) {
            toRelay.println(PING);
            assertThat(third.heard()).as("the answer was stored").isEqualTo(PING);
        }
    }

    @Test
    void a_notification_that_a_server_has_read_and_not_carried_out_is_given_to_the_next_one() throws Exception {
        try (var first = new Server()) {
            toRelay.println(CANCEL);
            assertThat(first.heard()).isEqualTo(CANCEL);
        }
        try (var second = new Server()) {
            assertThat(second.heard()).isEqualTo(CANCEL);
        }
    }

    @Test
    void what_a_host_asked_before_the_end_of_its_input_is_answered_by_a_server_that_comes_later() throws Exception {
        relay.close();
        running.join();
        var reader = new CompletableFuture<Thread>();
        var in = new ByteArrayInputStream((PING + "\n").getBytes(UTF_8)) {
            @Override
            public int read(byte[] target, int from, int most) {
                reader.complete(Thread.currentThread());
                return super.read(target, from, most);
            }
        };
        var out = new ByteArrayOutputStream();
        relay = Relay.over(in, out, "w", tool -> true, WireLimits.DEFAULT);
        running = run(() -> {
            reader.join().join();
            return servers.take();
        });
        try (var server = new Server()) {
            assertThat(server.heard()).isEqualTo(PING);
            server.say("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        }
        running.join();
        assertThat(out.toString(UTF_8)).contains("\"id\":1");
    }

    /** A server that does only what its test says; closed, it is as dead to the relay as a killed one. */
    private final class Server implements AutoCloseable {

        private final SocketChannel channel;
        private final BufferedReader in;

        Server() throws Exception {
            var connecting = Thread.ofPlatform().start(this::connect);
            channel = listener.accept();
            assertThat(SocketProtocol.read(Channels.newInputStream(channel))).isEqualTo("card");
            say(SocketProtocol.WELCOME);
            connecting.join();
            in = new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), UTF_8));
        }

        private void connect() {
            if (ServerLink.connect(folder.resolve("s"), "card") instanceof ServerLink.Attempt.Connected(var link)) {
                servers.add(link);
            }
        }

        void say(String line) throws IOException {
            SocketProtocol.write(Channels.newOutputStream(channel), line);
        }

        String heard() throws IOException {
            return in.readLine();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
