// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.postgres.PastTasks.ASKING;
import static io.longhaul.store.postgres.PastTasks.OLD;
import static io.longhaul.store.postgres.PastTasks.RUNNING;
import static io.longhaul.store.postgres.PastTasks.STOPPING;
import static io.longhaul.store.postgres.PastTasks.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.SharedTasks.Wanted;
import io.longhaul.engine.task.Task;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.testkit.NeedsPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Nodes of older versions, and what they have left. Each folder of {@code older} has what the node of a version leaves
 * and sends. To record this version, run this test with {@code -Dlonghaul.record=FOLDER}, where the folder is a new one
 * there; never record an old one again.
 */
@NeedsPostgres
final class OlderNodeTest {

    private static final DataKeys KEYS = DataKeys.parse("past Jihr6NSIDc2etDrVkGoZ9Fxjc18CkKtfieK4oNvUd3Q=");
    private static final Wanted WORKS = new Wanted(Set.of("work"), Set.of(), Duration.ZERO);

    static List<Path> recordings() throws Exception {
        try (var found =
                Files.list(Path.of(OlderNodeTest.class.getResource("older").toURI()))) {
            return found.filter(Files::isDirectory).toList();
        }
    }

    static List<Path> recordingsOfNodes() throws Exception {
        return recordings().stream()
                .filter(folder -> Files.exists(folder.resolve(Recording.NODE)))
                .toList();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("recordingsOfNodes")
    void a_node_of_an_older_version_lives_on_beside_one_of_today(Path folder) throws Exception {
        play(Recording.read(folder));
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("recordings")
    void what_a_node_of_an_older_version_has_left_is_read_and_claimed_for_its_work(Path folder) throws Exception {
        var recording = Recording.read(folder);
        claimAll(database(recording.tasks()), DataKeys.NONE);
        claimAll(database(recording.sealed()), KEYS);
    }

    @Test
    void what_a_node_of_today_leaves_and_sends_is_recorded_and_can_be_played(@TempDir Path folder) throws Exception {
        var wanted = System.getProperty("longhaul.record");
        var place = wanted == null ? folder : Path.of(wanted);
        var recorded = record();
        recorded.write(place);
        assertThat(Recording.read(place)).isEqualTo(recorded);
        play(recorded);
    }

    @Test
    void a_node_starts_over_a_schema_that_is_newer_than_it_knows() throws SQLException {
        var database = TestDatabase.newDatabase();
        try (var store = PostgresTaskStore.at(database)) {
            PastTasks.write(store);
        }
        TestDatabase.run(
                database,
                "INSERT INTO longhaul.schema_version SELECT 1000, '1000', 'newer', type, 'V1000__newer.sql', 1000,"
                        + " installed_by, installed_on, execution_time, success FROM longhaul.schema_version"
                        + " WHERE version = '1'");
        claimAll(database, DataKeys.NONE);
    }

    private static DataSource database(String sql) throws SQLException {
        var database = TestDatabase.newDatabase();
        TestDatabase.run(database, sql);
        return database;
    }

    private static void claimAll(DataSource database, DataKeys keys) {
        try (var store = PostgresTaskStore.at(database, keys)) {
            PastTasks.areIn(store);
            var lease = store.join(OLD.node(), NOW);
            var shared = store.sharedTasks().orElseThrow();
            assertThat(shared.claim(lease, new Wanted(Set.of("other work"), Set.of(), Duration.ZERO), 9, NOW))
                    .isEmpty();
            assertThat(shared.claim(lease, WORKS, 9, NOW))
                    .extracting(Task::id)
                    .containsExactly(RUNNING.id(), ASKING.id(), STOPPING.id(), WAITING.id());
        }
    }

    private static void play(Recording recording) throws Exception {
        var database = database(recording.tasks());
        new MixedVersions(database, new OlderNode.Played(database, recording.steps()))
                .run(() -> PostgresTaskStore.at(database));
    }

    private static Recording record() throws Exception {
        var database = TestDatabase.newDatabase();
        var recorder = new StatementRecorder(database);
        try (var store = PostgresTaskStore.at(recorder.database())) {
            var making = recorder.take();
            PastTasks.write(store);
            var tasks = Recording.sql(database, making);
            var old = new OlderNode.Recorded(store, recorder);
            new MixedVersions(database, old).run(() -> PostgresTaskStore.at(database));
            return new Recording(tasks, sealed(), old.steps());
        }
    }

    private static String sealed() throws SQLException {
        var database = TestDatabase.newDatabase();
        var recorder = new StatementRecorder(database);
        try (var store = PostgresTaskStore.at(recorder.database(), KEYS)) {
            var making = recorder.take();
            PastTasks.write(store);
            return Recording.sql(database, making);
        }
    }
}
