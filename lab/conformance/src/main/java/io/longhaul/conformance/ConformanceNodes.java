// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

import io.longhaul.reliability.Balancer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Several processes of {@link ConformanceServer} over one PostgreSQL, behind a balancer which sends each request to
 * another of them. Ends them all with itself.
 */
public final class ConformanceNodes {

    private static final String LISTENING = "listening on ";

    private ConformanceNodes() {}

    /** @param args how many */
    public static void main(String[] args) throws Exception {
        if (args.length != 1 || !args[0].matches("[1-9][0-9]?")) {
            System.err.println("usage: conformance/server nodes COUNT");
            System.exit(2);
        }
        // It ends by a hook of its own.
        EmbeddedPostgres database =
                EmbeddedPostgres.builder().setServerConfig("fsync", "on").start();
        Path folder = Files.createTempDirectory("longhaul-conformance");
        List<Process> nodes = new ArrayList<>();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            nodes.forEach(Process::destroy);
            ConformanceServer.delete(folder);
        }));
        for (int node = 0; node < Integer.parseInt(args[0]); node++) {
            nodes.add(start("node-" + node, database.getJdbcUrl("postgres", "postgres"), folder.toString()));
        }
        List<URI> addresses = new ArrayList<>();
        for (Process node : nodes) {
            addresses.add(address(node));
        }
        try (Balancer balancer = new Balancer(addresses)) {
            System.out.println(LISTENING + balancer.address());
            CompletableFuture.anyOf(nodes.stream().map(Process::onExit).toArray(CompletableFuture[]::new))
                    .join();
        }
        System.err.println("a node has ended");
        System.exit(1);
    }

    private static Process start(String name, String database, String folder) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ConformanceServer.class.getName(),
                        "0",
                        name,
                        database,
                        folder)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static URI address(Process node) throws IOException {
        String said = node.inputReader().readLine();
        if (said == null || !said.startsWith(LISTENING)) {
            throw new IOException("a node did not start: " + said);
        }
        return URI.create(said.substring(LISTENING.length()));
    }
}
