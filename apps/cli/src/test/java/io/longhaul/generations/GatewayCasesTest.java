// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.testkit.Case;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * A gateway says in each case what a server says: to a client of each generation, before a server of the newest one,
 * and to a client of the newest one, before a server of each generation. The table is in {@code docs/GATEWAY.md}.
 */
class GatewayCasesTest {

    /** Why a case is not shown through a gateway. */
    private static final Map<Cell, String> NOT_SHOWN = Map.of(
            Cell.EXPIRES,
            "How long a task is kept is a setting of the gateway, as of each server.",
            Cell.KILLED,
            "The work does not begin again, which this case waits for: `GatewayKillTest` kills gateways.");

    /** Why the case cannot be with some servers. */
    private record Lack(Set<Generation> servers, String reason) {}

    private static final Lack NO_QUESTIONS =
            new Lack(Set.of(Generation.V2025_03_26, Generation.V2024_11_05), "The revision has no questions.");

    private static final Map<Cell, Lack> LACKS = Map.of(
            Cell.PROTOCOL_ERROR,
            new Lack(
                    Set.of(Generation.NEXT),
                    "A failed operation has a text and no code: the text comes with the code -32603."),
            Cell.ANSWERED,
            NO_QUESTIONS,
            Cell.APPROVED,
            NO_QUESTIONS,
            Cell.QUESTION_CANCELLED,
            NO_QUESTIONS,
            Cell.PARTIAL_OUTPUT,
            new Lack(
                    Set.of(
                            Generation.NEXT,
                            Generation.V2025_06_18,
                            Generation.V2025_03_26,
                            Generation.V2024_11_05,
                            Generation.SEP_1003),
                    "The revision has no words for partial output; a server of sep-1003 adds a line to its first"
                            + " part."));

    @TestFactory
    Stream<DynamicTest> a_client_of_each_generation_before_a_server_of_the_newest() {
        return shown().flatMap(cell -> Arrays.stream(Tongue.values())
                .map(client -> test(client, ClientDialects.newest().generation(), cell)));
    }

    @TestFactory
    Stream<DynamicTest> a_client_of_the_newest_generation_before_a_server_of_each() {
        return shown().flatMap(cell -> able(cell).stream().map(server -> test(Tongue.STATELESS_TASKS, server, cell)));
    }

    @TestFactory
    Stream<DynamicTest> the_table() {
        return Stream.of(Case.named("is shown by the page", () -> {
            var page = new Page("docs/GATEWAY.md", "table of GatewayCasesTest");
            if (Page.REWRITE) {
                page.write(table());
            }
            assertThat(page.read()).isEqualTo(table());
        }));
    }

    private static Stream<Cell> shown() {
        return Arrays.stream(Cell.values()).filter(cell -> !NOT_SHOWN.containsKey(cell));
    }

    private static List<Generation> able(Cell cell) {
        var lack = LACKS.get(cell);
        return ClientDialects.spoken().stream()
                .filter(server -> lack == null || !lack.servers().contains(server))
                .toList();
    }

    private static DynamicTest test(Tongue client, Generation server, Cell cell) {
        return Case.named(client + " to " + server.label() + ": " + cell, () -> {
            // The test lets the time pass for which a host waits; the others wait as long as the gateway says.
            boolean movesByItself = client != Tongue.HAND_OVER;
            try (var scenarios = new Scenarios(client, new BehindGateway(server, movesByItself))) {
                scenarios.show(cell);
            }
        });
    }

    private static String table() {
        var lines = new ArrayList<String>();
        lines.add("| what happens | clients of each generation | servers of each generation |");
        lines.add("|---|---|---|");
        for (var cell : Cell.values()) {
            var why = NOT_SHOWN.get(cell);
            var cells = why == null ? "the same | " + servers(cell) : why + " | |";
            lines.add("| " + cell + " | " + cells + (why == null ? " |" : ""));
        }
        return String.join("\n", lines);
    }

    private static String servers(Cell cell) {
        var lack = LACKS.get(cell);
        if (lack == null) {
            return "the same";
        }
        var without = ClientDialects.spoken().stream()
                .filter(lack.servers()::contains)
                .map(Generation::label)
                .collect(Collectors.joining(", "));
        return "the same, except " + without + ": " + lack.reason();
    }
}
