// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.PlainHosts.Host;
import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.Stdio;
import io.longhaul.transport.http.Http;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The server that the official clients drive as hosts do that know no tasks; its data folder outlives it. */
public final class HostServer {

    private HostServer() {}

    /** @param args where the tasks are kept, how long calls are held in seconds, and {@code http} or {@code stdio} */
    public static void main(String[] args) throws Exception {
        if (args.length != 3 || !List.of("http", "stdio").contains(args[2])) {
            System.err.println("usage: conformance/server hosts DATA-FOLDER HOLD-SECONDS http|stdio");
            System.exit(2);
        }
        Path data = Files.createDirectories(Path.of(args[0]));
        var hold = Duration.ofSeconds(Long.parseLong(args[1]));
        // Inspector waits on with each progress: here its calls are held like those of the others.
        var hosts = PlainHosts.DEFAULT.holding(hold).with("inspector-cli", Host.holding(hold));
        McpServerBuilder server = McpServer.builder("longhaul-hosts", "0.1.0")
                .store(SqliteTaskStore.at(data.resolve("tasks.db")))
                .plainHosts(hosts);
        HostTools.writingTo(data.resolve("runs.txt")).forEach(server::tool);
        Http http = args[2].equals("http") ? Http.onPort(0) : null;
        try (McpServer running = server.serve(http == null ? Stdio.standard() : http)) {
            if (http != null) {
                System.out.println("listening on " + http.url());
            }
            running.awaitEnd();
        }
    }
}
