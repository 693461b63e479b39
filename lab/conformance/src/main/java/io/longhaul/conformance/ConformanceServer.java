// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.store.postgres.PostgresTaskStore;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;

/**
 * The server that the official conformance suite drives. It keeps its tasks in a data file of its own, removed
 * at its end, or is one of several nodes over a database.
 */
public final class ConformanceServer {

    /** How long a stream is held where its client can come back to it. */
    static final Duration STREAM = Duration.ofSeconds(2);

    private static final Duration RETRY = Duration.ofMillis(100);

    private ConformanceServer() {}

    /** @param args the port, where 0 takes a free one; for a node its name, the database and the folder of all nodes */
    public static void main(String[] args) throws Exception {
        if (args.length != 1 && args.length != 4) {
            System.err.println("usage: conformance/server PORT [NODE DATABASE FOLDER]");
            System.exit(2);
        }
        Path folder = Files.createTempDirectory("longhaul-conformance");
        Http http = Http.onPort(Integer.parseInt(args[0])).polled(STREAM, RETRY);
        McpServerBuilder fixture = McpServer.builder("longhaul-conformance", "0.1.0");
        if (args.length == 1) {
            fixture.store(SqliteTaskStore.at(folder.resolve("tasks.db")));
        } else {
            fixture.store(PostgresTaskStore.at(args[2], null, null, DataKeys.NONE))
                    .node(args[1]);
        }
        Path changes = args.length == 1 ? folder : Path.of(args[3]);
        fill(fixture, changes);
        McpServer server = fixture.serve(http);
        Changes.follow(changes, server);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.close();
            delete(folder);
        }));
        System.out.println("listening on " + http.url());
        server.awaitEnd();
    }

    /** Has a server have everything that the suite looks for. */
    static void fill(McpServerBuilder fixture, Path changes) {
        ContentTools.all().forEach(fixture::tool);
        Changes.in(changes).forEach(fixture::tool);
        AskingTools.all().forEach(fixture::tool);
        TaskTools.all().forEach(fixture::tool);
        Resources.addTo(fixture);
        Prompts.addTo(fixture);
    }

    static void delete(Path folder) {
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException left) {
            System.err.println("left behind: " + folder);
        }
    }
}
