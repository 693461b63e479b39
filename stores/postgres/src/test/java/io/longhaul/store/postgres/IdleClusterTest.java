// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.fakes.FakeTime;
import io.longhaul.testkit.NeedsPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What four nodes ask of their database while nothing happens to the tasks that wait. */
@NeedsPostgres
final class IdleClusterTest {

    private static final int NODES = 4;
    private static final int WAITING = 100_000;
    private static final int BEATS = 5;
    private static final int MOST_IN_A_SECOND = 20;
    private static final Duration BEAT = Duration.ofSeconds(1);

    private final FakeTime time = new FakeTime();
    private final List<StatementRecorder> recorders = new ArrayList<>();
    private final List<PostgresTaskStore> stores = new ArrayList<>();
    private final List<TaskEngine> nodes = new ArrayList<>();

    private void start(DataSource database, String name) {
        var recorder = new StatementRecorder(database);
        recorders.add(recorder);
        var store = PostgresTaskStore.at(recorder.database());
        stores.add(store);
        nodes.add(DurableEngine.builder()
                .store(store)
                .time(time)
                .node(name)
                .work(new Work("work", run -> null, CrashPolicy.RESTART, null, Integer.MAX_VALUE))
                .start());
    }

    @AfterEach
    void close() {
        nodes.forEach(TaskEngine::close);
        stores.forEach(PostgresTaskStore::close);
    }

    private long asked() {
        return recorders.stream()
                .flatMap(recorder -> recorder.take().stream())
                .filter(sent -> !sent.equals(Sent.end(true)))
                .count();
    }

    private void beat() throws InterruptedException {
        time.advance(BEAT);
        time.awaitAlarmsWithin(BEAT, NODES);
    }

    /** Adds tasks of a work, spread over the nodes of a query. */
    private static String waiting(String work, String nodes) {
        return """
            INSERT INTO longhaul.task (id, owner, stage, lease_node, lease_epoch, version, last_event, updated_at,
                spec, body, work)
            SELECT 'task' || n, 'owner' || n %% 20, 2, node, epoch, 1, 3, 0, 'spec', 'body', '%2$s'
            FROM generate_series(1, %1$d) AS n
            JOIN (SELECT *, row_number() OVER () - 1 AS number, count(*) OVER () AS count
                  FROM (%3$s) AS l (node, epoch)) AS l ON number = n %% count;
            ANALYZE longhaul.task\
            """.formatted(WAITING, work, nodes);
    }

    @Test
    void four_nodes_ask_no_more_than_twenty_queries_a_second_however_many_tasks_they_have() throws Exception {
        askLittleBeside(waiting("work", "SELECT node, epoch FROM longhaul.lease"));
    }

    @Test
    void four_nodes_ask_no_more_for_tasks_that_wait_for_a_node_with_another_label() throws Exception {
        askLittleBeside("""
            INSERT INTO longhaul.lease (node, epoch, joined_at, expires_at, held_since)
            VALUES ('gone', 1, 0, '-infinity', clock_timestamp() - interval '1 hour');
            """ + waiting("of another label", "VALUES ('gone', 1), (NULL, 0)"));
    }

    private void askLittleBeside(String waiting) throws Exception {
        var database = TestDatabase.newDatabase();
        for (int node = 0; node < NODES; node++) {
            start(database, "node" + node);
        }
        TestDatabase.run(database, waiting);
        time.awaitAlarmsWithin(BEAT, NODES);
        // Each node learns how many nodes there are.
        beat();
        beat();
        asked();
        for (int beat = 0; beat < BEATS; beat++) {
            beat();
        }
        assertThat(asked()).isBetween((long) NODES * BEATS, (long) MOST_IN_A_SECOND * BEATS);
    }
}
