// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.testkit.Case;
import io.longhaul.testkit.NeedsPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every generation at three processes over one PostgreSQL, each request at another one. What takes its time is left out
 * unless {@code -Dgenerations.whole=true} says so: the kills of all three but for one generation, and hosts that wait
 * until their calls are handed over.
 */
@NeedsPostgres
class ProcessesTest {

    private static final boolean WHOLE = Boolean.getBoolean("generations.whole");

    private static EmbeddedPostgres database;
    private static WorksProcesses nodes;

    @BeforeAll
    static void start() throws IOException {
        database = EmbeddedPostgres.builder().setServerConfig("fsync", "on").start();
        nodes = new WorksProcesses(database.getJdbcUrl("postgres", "postgres"), 3);
    }

    @AfterAll
    static void end() throws IOException {
        nodes.end();
        database.close();
    }

    @TestFactory
    Stream<DynamicTest> every_generation_in_every_case() {
        return Arrays.stream(Tongue.values())
                .flatMap(tongue -> NodesTest.CELLS.stream()
                        .filter(cell -> WHOLE || isShort(tongue, cell))
                        .filter(cell -> !isRace(tongue, cell))
                        .map(cell -> Case.named(tongue + ": " + cell, () -> {
                            try (var scenarios = new Scenarios(tongue, nodes.forNextCase())) {
                                scenarios.show(cell);
                            }
                        })));
    }

    private static boolean isShort(Tongue tongue, Cell cell) {
        return tongue != Tongue.HAND_OVER && (cell != Cell.KILLED || tongue == Tongue.HANDSHAKE_TASKS);
    }

    /**
     * Which node answers a call that is resumed by tokens only that node knows, so a cancellation takes up to 250 ms to
     * get there, and an answer to the question of the task is written by whoever is given it: "cancellation
     * notifications may arrive after request processing has completed".
     */
    private static boolean isRace(Tongue tongue, Cell cell) {
        return tongue == Tongue.RESUME_TOKENS && cell == Cell.QUESTION_CANCELLED;
    }
}
