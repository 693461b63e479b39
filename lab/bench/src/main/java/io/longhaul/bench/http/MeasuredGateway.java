// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import io.longhaul.bench.run.BenchSettings;
import io.longhaul.gateway.Gateway;
import io.longhaul.gateway.Upstream;
import io.longhaul.server.McpServer;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A gateway before a {@link MeasuredServer} that it starts, as most servers of hosts are started. */
final class MeasuredGateway {

    private static final Duration START = Duration.ofMinutes(1);

    private MeasuredGateway() {}

    /** @param tasks the file of the gateway's tasks */
    static AutoCloseable before(Path tasks, Http http) throws InterruptedException {
        var behind = Upstream.launch(
                        "behind",
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                MeasuredServer.class.getName(),
                                "stdio",
                                tasks.resolveSibling("behind.db").toString()))
                // Not on the command line, by which the gateway tells servers apart.
                .environment(Map.of("CLASSPATH", BenchSettings::classPath), List.of())
                .quickTools("echo");
        var gateway = Gateway.to(SqliteTaskStore.at(tasks), behind);
        var server = gateway.serve(McpServer.builder("bench", "1"), http);
        gateway.awaitUpstreams(START);
        return () -> {
            server.close();
            gateway.close();
        };
    }
}
