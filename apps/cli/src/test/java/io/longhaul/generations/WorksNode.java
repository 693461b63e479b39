// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.server.McpServer;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.store.postgres.PostgresTaskStore;
import io.longhaul.transport.http.Http;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A program: a node over PostgreSQL that serves {@link Works}. It prints its address, and {@link #BEGUN} each time a
 * slow tool has begun. What it reads are commands for the gate, each of which it answers with the same word.
 */
final class WorksNode {

    static final String BEGUN = "begun";
    static final String ONE = "one";
    static final String OPEN = "open";
    static final String CLOSE = "close";

    /** A call that is handed over waits so long; one that is not ends in less. */
    private static final Duration HOLD = Duration.ofSeconds(3);

    private WorksNode() {}

    /** @param args the address of the database, and the name of the node */
    public static void main(String[] args) throws Exception {
        var works = new Works(() -> System.out.println(BEGUN));
        var http = Http.onPort(0)
                .principals(header -> new Resolution.Granted(
                        new Principal(header.apply(WebWay.SUBJECT).orElseThrow(), Principal.Kind.AUTHORIZED)));
        var made = McpServer.builder("works", "1.0")
                .store(PostgresTaskStore.at(args[0], "postgres", null, DataKeys.NONE))
                .node(args[1])
                .plainHosts(PlainHosts.DEFAULT.with("t", PlainHosts.Host.holding(HOLD)));
        works.tools().forEach(made::tool);
        try (var server = made.serve(http);
                var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println(http.url());
            for (var command = commands.readLine(); command != null; command = commands.readLine()) {
                switch (command) {
                    case ONE -> works.letOneThrough();
                    case OPEN -> works.openGate();
                    case CLOSE -> works.closeGate();
                    default -> throw new IllegalArgumentException(command);
                }
                System.out.println(command);
            }
        }
    }
}
