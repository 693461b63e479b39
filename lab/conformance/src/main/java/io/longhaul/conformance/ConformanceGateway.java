// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

import io.longhaul.client.McpClient;
import io.longhaul.client.ToolInfo;
import io.longhaul.gateway.Gateway;
import io.longhaul.gateway.Upstream;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The server that the official conformance suite drives, behind a gateway. */
public final class ConformanceGateway {

    private static final Duration RETRY = Duration.ofMillis(100);

    private ConformanceGateway() {}

    /** @param args the port, where 0 takes a free one */
    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory("longhaul-conformance");
        Http inner = Http.onPort(0);
        McpServerBuilder fixture = McpServer.builder("longhaul-conformance", "0.1.0")
                .store(SqliteTaskStore.at(folder.resolve("behind.db")));
        ConformanceServer.fill(fixture, folder);
        McpServer behind = fixture.serve(inner);
        Changes.follow(folder, behind);
        Http outer = Http.onPort(Integer.parseInt(args[0])).polled(ConformanceServer.STREAM, RETRY);
        Upstream upstream = Upstream.at("fixture", inner.url()).quickTools(quick(inner.url()));
        Gateway gateway = Gateway.to(SqliteTaskStore.at(folder.resolve("tasks.db")), upstream);
        McpServer server = gateway.serve(McpServer.builder("longhaul-conformance", "0.1.0"), outer);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.close();
            gateway.close();
            behind.close();
            ConformanceServer.delete(folder);
        }));
        gateway.awaitUpstreams(Duration.ofMinutes(1));
        System.out.println("listening on " + outer.url());
        server.awaitEnd();
    }

    /** The tools that are no tasks: 2025-11-25 tells which, and 2026-07-28 does not. */
    private static String[] quick(URI server) {
        try (var client =
                McpClient.to(server).generation(Generation.V2025_11_25).connect()) {
            return client.tools().stream()
                    .filter(tool -> tool.taskMode() == TaskMode.NEVER)
                    .map(ToolInfo::name)
                    .toArray(String[]::new);
        }
    }
}
