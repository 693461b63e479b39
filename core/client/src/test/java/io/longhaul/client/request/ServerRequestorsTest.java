// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientException;
import io.longhaul.client.ScriptedServer;
import io.longhaul.client.Scripts;
import io.longhaul.client.ServerAddress;
import io.longhaul.client.TaskReference;
import io.longhaul.client.TestTime;
import io.longhaul.client.Transcript;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.client.ClientTransport;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.TransportException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A client that speaks several generations with one server. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class ServerRequestorsTest {

    private static final URI SERVER = URI.create("http://script.test/mcp");
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    /** A server whose handshakes take as long as the test wants. */
    private final class SlowHandshake implements ClientTransport {
        private final ClientTransport server =
                new ScriptedServer(new Transcript(Scripts.STATELESS + "->* initialize\n<= 400"), false);

        @Override
        public boolean isLasting() {
            return false;
        }

        @Override
        public ServerReply send(Json message, Map<String, String> headers) throws TransportException {
            if (message.toString().contains("\"initialize\"")) {
                begun.countDown();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new TransportException(TransportException.Kind.LOST, "interrupted", e);
                }
            }
            return server.send(message, headers);
        }

        @Override
        public ServerReply listen(Map<String, String> headers) throws TransportException {
            return server.listen(headers);
        }

        @Override
        public ServerReply leave(Map<String, String> headers) throws TransportException {
            return server.leave(headers);
        }

        @Override
        public void close() {
            server.close();
        }
    }

    @Test
    void a_server_that_is_slow_in_one_generation_holds_up_neither_calls_in_another_nor_the_closing() throws Exception {
        var client = McpClient.to(SERVER)
                .name("tester", "1")
                .time(new TestTime())
                .over(SlowHandshake::new)
                .connect();
        var attached = new CompletableFuture<Throwable>();
        Thread.ofVirtual().start(() -> {
            try {
                client.attach(new TaskReference(new ServerAddress.Http(SERVER), Generation.V2025_11_25, "t"));
                attached.complete(new AssertionError("attached to a task that there is not"));
            } catch (McpClientException e) {
                attached.complete(e);
            }
        });
        begun.await();
        assertThat(client.server().name()).isEqualTo("script");
        client.close();
        release.countDown();
        assertThat(attached.get()).isInstanceOf(McpClientException.class);
    }
}
