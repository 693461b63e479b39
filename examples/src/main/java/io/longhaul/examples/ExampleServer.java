// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import io.longhaul.console.Console;
import io.longhaul.console.ConsoleKey;
import io.longhaul.examples.crm.ContactImport;
import io.longhaul.examples.discovery.LibraryScreening;
import io.longhaul.examples.migration.CodeMigration;
import io.longhaul.examples.research.DeepResearch;
import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The server of a use case, with the console beside it: {@code examples/serve NAME [PORT [FOLDER]]} starts it. */
public final class ExampleServer {

    private static final Map<String, Supplier<List<Tool>>> EXAMPLES = new TreeMap<>(Map.of(
            "code-migration", CodeMigration::tools,
            "crm-import", ContactImport::tools,
            "deep-research", DeepResearch::tools,
            "drug-discovery", LibraryScreening::tools));

    /** The name for the tools of all examples, for an agent with work for each of them. */
    private static final String ALL = "multi-agent";

    private ExampleServer() {}

    public static void main(String[] args) throws InterruptedException {
        var name = args.length == 0 ? "" : args[0];
        var folder = Path.of(args.length > 2 ? args[2] : "");
        var described = described(name, folder);
        if (described.isEmpty()) {
            System.err.println("Say which example is to be served, one of " + EXAMPLES.keySet() + " and " + ALL
                    + ": NAME [PORT [FOLDER]].");
            System.exit(2);
        }
        var http = Http.onPort(args.length > 1 ? Integer.parseInt(args[1]) : 8080);
        var key = ConsoleKey.random(new SecureRandom());
        try (var console = Console.at("/console")) {
            var pages = Http.onPort(0)
                    .path(console.endpoint())
                    .site(console.site())
                    .principals(key.callers())
                    .allowSameOrigin();
            try (var server = described.orElseThrow().monitor(console).serve(http, pages)) {
                System.err.println(name + " at " + http.url());
                System.err.println("console at " + key.link(pages.url().resolve(console.page())));
                server.awaitEnd();
            }
        }
    }

    /** A server of an example, not started yet, with its tasks in the folder; empty where there is no such example. */
    static Optional<McpServerBuilder> described(String name, Path folder) {
        var named = EXAMPLES.entrySet().stream()
                .filter(example -> name.equals(ALL) || name.equals(example.getKey()))
                .flatMap(example -> example.getValue().get().stream())
                .toList();
        if (named.isEmpty()) {
            return Optional.empty();
        }
        var server = McpServer.builder(name, "1.0").store(SqliteTaskStore.at(folder.resolve(name + ".db")));
        named.forEach(server::tool);
        return Optional.of(server);
    }
}
