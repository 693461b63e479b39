// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import io.longhaul.bench.run.BenchSettings;
import io.longhaul.gateway.Gateway;
import io.longhaul.gateway.Upstream;
import io.longhaul.server.McpServer;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A gateway before a {@link MeasuredServer} that it starts, as most servers of hosts are started. The program prints
 * its address, and ends with its input.
 */
final class MeasuredGateway {

    private static final Duration START = Duration.ofMinutes(1);

    private MeasuredGateway() {}

    /** @param args a word, as those of {@link MeasuredServer}, and the file of the tasks */
    public static void main(String[] args) throws Exception {
        var tasks = Path.of(args[1]);
        var behind = Upstream.launch(
                        "behind",
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-cp",
                                BenchSettings.classPath(),
                                MeasuredServer.class.getName(),
                                "stdio",
                                tasks.resolveSibling("behind.db").toString()))
                .quickTools("echo");
        var http = Http.onPort(0);
        try (var gateway = Gateway.to(SqliteTaskStore.at(tasks), behind);
                var server = gateway.serve(McpServer.builder("bench", "1"), http)) {
            gateway.awaitUpstreams(START);
            System.out.println(http.url());
            System.in.transferTo(OutputStream.nullOutputStream());
            server.retire();
        }
    }
}
