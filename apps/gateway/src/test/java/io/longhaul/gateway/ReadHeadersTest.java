// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Headers of the gateway whose values change, at a server that serves nothing and is asked again and again. */
@Timeout(60)
class ReadHeadersTest {

    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

    @TempDir
    Path folder;

    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            seen.add(Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("X-Key"), "none"));
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void end() {
        server.stop(0);
    }

    private Front front(Callable<String> key) throws Exception {
        var address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mcp");
        return Front.of(
                folder.resolve("gateway.db"), Upstream.at("guarded", address).header("X-Key", key));
    }

    @Test
    void a_value_is_read_for_each_request() throws Exception {
        var count = new AtomicInteger();
        try (var front = front(() -> "key-" + count.incrementAndGet())) {
            assertThat(seen.take()).isEqualTo("key-1");
            assertThat(seen.take()).isEqualTo("key-2");
            assertThat(front).isNotNull();
        }
    }

    @Test
    void nothing_is_sent_without_a_value_and_the_server_is_asked_when_there_is_one() throws Exception {
        var count = new AtomicInteger();
        try (var front = front(() -> switch (count.incrementAndGet()) {
            case 1 -> throw new IOException("other users can read the secret");
            case 2 -> "two\r\nlines";
            default -> "good";
        })) {
            assertThat(seen.take()).isEqualTo("good");
            assertThat(front).isNotNull();
        }
    }
}
