// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.exit.ExitCode;
import io.longhaul.testkit.NeedsPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What the bench does with a PostgreSQL; never how fast. */
@NeedsPostgres
class DatabaseBenchTest {
    private static EmbeddedPostgres database;

    /** The rows of all scenarios below, measured at once: what they are compared with is measured once. */
    private static List<JsonNode> measured;

    @TempDir
    private Path folder;

    private BenchRun bench;

    @BeforeAll
    static void measure(@TempDir Path folder) throws IOException {
        database = EmbeddedPostgres.start();
        var words = new ArrayList<>(List.of("--store"));
        words.add("jdbc:postgresql://localhost:" + database.getPort() + "/postgres?user=postgres");
        for (var scenario : List.of(
                "creations, 2",
                "creations while",
                "create a task, 2025-11-25, 2",
                "over 60 stored tasks: tasks/get",
                "a claim beside 60")) {
            words.addAll(List.of("--only", "PostgreSQL: " + scenario));
        }
        measured = new BenchRun(folder).rows(words.toArray(String[]::new));
    }

    @BeforeEach
    void begin() {
        bench = new BenchRun(folder);
    }

    @AfterAll
    static void end() throws IOException {
        database.close();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    creations, 2 nodes; inserts of 64 rows, 2 at once; perSecond, cpuMicros, databaseCpuMicros
                    create a task, 2025-11-25, 2 nodes; create a task, 2025-11-25, 1 node; perSecond, cpuMicros
                    over 60 stored tasks: tasks/get; over 10 stored tasks: tasks/get, finished, 2025-11-25; cpuMicros
                    a claim beside 60; a claim beside 10 live tasks of another node; perSecond, p50Micros
                    creations while 8 of 60 expire; creations while 8 of 60 expire, before; perSecond, p50Micros
                    """, delimiter = ';')
    void each_scenario_gives_rows_beside_what_it_is_compared_with(String scenario, String base, String figures)
            throws Exception {
        assertThat(measured)
                .filteredOn(row -> row.path("base").asString("").equals("PostgreSQL: " + base))
                .filteredOn(row -> row.path("title").asString().startsWith("PostgreSQL: " + scenario))
                .isNotEmpty()
                .allSatisfy(
                        row -> assertThat(row.path("ratioToBase").isNumber()).isTrue())
                .anySatisfy(row -> assertThat(row.propertyNames()).contains(figures.split(", ")));
        assertThat(schemas()).as("what the bench leaves").isEmpty();
    }

    @Test
    void without_a_database_one_line_says_so() {
        assertThat(bench.run("--quick", "--only", "PostgreSQL")).isEqualTo(ExitCode.OK);
        assertThat(bench.out().lines().filter(line -> line.contains("PostgreSQL")))
                .containsExactly("Left out: PostgreSQL: all: no database was named with --store");
    }

    @Test
    void an_address_with_a_password_is_refused() {
        assertThat(bench.run("--store", "jdbc:postgresql://localhost/tasks?password=sesame"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(bench.err())
                .contains("what --store names holds a password", "LONGHAUL_STORE_PASSWORD")
                .doesNotContain("sesame");
    }

    private static List<String> schemas() throws SQLException {
        try (var connection = database.getPostgresDatabase().getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'longhaul%'")) {
            var names = new ArrayList<String>();
            while (rows.next()) {
                names.add(rows.getString(1));
            }
            return names;
        }
    }
}
