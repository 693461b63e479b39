// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.reliability.Settings.Load;
import io.longhaul.reliability.Settings.Nodes;
import io.longhaul.reliability.Verdict.Counted;
import io.longhaul.testkit.NeedsPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes over one real database, each request at another of them, and real faults. */
@NeedsPostgres
@Timeout(900)
class NodesTortureTest {

    private static final int NODES = 3;

    private static final Load LOAD = new Load(1_000_000, 100, Duration.ofMillis(250));

    @TempDir
    private Path folder;

    private EmbeddedPostgres database;

    @BeforeEach
    void start() throws IOException {
        database = start(0);
    }

    private EmbeddedPostgres start(int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("database"))
                .setCleanDataDirectory(false)
                .setServerConfig("fsync", "on")
                .setPort(port)
                .start();
    }

    @AfterEach
    void end() throws IOException {
        database.close();
    }

    private void restart() throws IOException {
        int port = database.getPort();
        database.close();
        database = start(port);
    }

    private Settings settings() {
        var nodes = new Nodes(NODES, database.getJdbcUrl("postgres", "postgres"), Optional.of(this::restart));
        return new Settings(Duration.ofMinutes(10), 100, LOAD, 1, Optional.of(nodes));
    }

    @Test
    void servers_over_one_database_are_killed_and_paused_and_every_promise_is_kept() throws Exception {
        List<String> said = new ArrayList<>();
        try (var torture = new Torture(folder.resolve("torture"), settings(), said::add)) {
            torture.strike(Fault.SERVER_KILLED);
            torture.strike(Fault.SERVER_LOST);
            torture.strike(Fault.DATABASE_RESTARTED);
            torture.strike(Fault.SERVER_PAUSED);
            var verdict = torture.judge();
            said.addAll(verdict.lines());
            assertThat(verdict.isClean()).as(String.join("\n", said)).isTrue();
            assertThat(verdict.counted(Counted.SUCCEEDED)).isGreaterThan(100);
            assertThat(verdict.counted(Counted.TAKEN_OVER)).isPositive();
        }
        said.forEach(System.out::println);
        assertThatThrownBy(() -> new Torture(folder.resolve("again"), settings(), said::add))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the database has tasks");
    }

    @Test
    void a_rolling_restart_of_all_servers_is_noticed_by_no_client_of_any_generation() throws Exception {
        List<String> said = new ArrayList<>();
        try (var torture = new Torture(folder.resolve("torture"), settings(), said::add)) {
            torture.strike(Fault.ROLLING_RESTART);
            var verdict = torture.judge();
            said.addAll(verdict.lines());
            assertThat(verdict.isClean()).as(String.join("\n", said)).isTrue();
            assertThat(verdict.counted(Counted.SUCCEEDED))
                    .as(String.join("\n", said))
                    .isGreaterThan(100)
                    .isEqualTo(verdict.counted(Counted.CALLS));
        }
        said.forEach(System.out::println);
    }
}
