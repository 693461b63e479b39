// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.server.LogLines;
import io.longhaul.server.McpServer;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.testkit.LocalHttp;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the log has of a credential of the gateway that cannot be read for a while. */
@Timeout(60)
class UnreadHeaderLogTest {

    @TempDir
    Path folder;

    @Test
    void that_a_header_cannot_be_read_is_told_once_and_that_it_can_be_again() throws Exception {
        var reads = new AtomicInteger();
        var sent = new CountDownLatch(1);
        try (var log = new LogLines("io.longhaul.gateway.link.ReadValues");
                var behind = new LocalHttp("/", exchange -> {
                    exchange.sendResponseHeaders(404, -1);
                    exchange.close();
                    sent.countDown();
                });
                var gateway = Gateway.to(
                        SqliteTaskStore.at(folder.resolve("gateway.db")),
                        Upstream.at("guarded", URI.create(behind.origin() + "/mcp"))
                                .header("X-Key", () -> {
                                    if (reads.incrementAndGet() <= 3) {
                                        throw new IOException("other users can read it");
                                    }
                                    return "key";
                                }));
                var server = gateway.serve(McpServer.builder("gateway", "1"), Http.onPort(0))) {
            sent.await();
            assertThat(server).isNotNull();
            assertThat(log.all())
                    .extracting(line -> line.getLevel() + " " + line.getFormattedMessage())
                    .containsExactly(
                            "ERROR the header X-Key for upstream guarded cannot be read: other users can read it",
                            "INFO the header X-Key for upstream guarded can be read again");
        }
    }
}
