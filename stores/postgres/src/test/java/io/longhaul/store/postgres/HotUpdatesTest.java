// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.progress;
import static io.longhaul.store.contract.TaskFixtures.start;
import static io.longhaul.store.contract.TaskFixtures.task;
import static io.longhaul.store.postgres.TestDatabase.passing;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.Allotment;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Payload;
import io.longhaul.testkit.NeedsPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An update that changes no indexed column, in a page that has room, writes no index (HOT). All frequent updates are
 * such ones; each other one writes every index of its table, and leaves its dead row and dead entries to the vacuum.
 */
@NeedsPostgres
final class HotUpdatesTest {

    private static final int WRITERS = 64;
    private static final int TIMES = 50;
    private static final double MOST = 0.9;

    private static final String COUNTS = """
        SELECT relname || ' ' || pg_stat_get_xact_tuples_updated(oid) || ' ' || pg_stat_get_xact_tuples_hot_updated(oid)
        FROM pg_class WHERE relkind = 'r' AND relnamespace = 'longhaul'::regnamespace
        """;

    private record Updates(long all, long hot) {

        static final Updates NONE = new Updates(0, 0);

        Updates plus(Updates other) {
            return new Updates(all + other.all, hot + other.hot);
        }

        Updates minus(Updates other) {
            return new Updates(all - other.all, hot - other.hot);
        }
    }

    private final Map<String, Updates> updates = new ConcurrentHashMap<>();
    private DataSource database;
    private PostgresTaskStore store;
    private Lease lease;

    @BeforeEach
    void open() throws SQLException {
        database = TestDatabase.newDatabase();
        store = PostgresTaskStore.at(counted());
        lease = store.join("node", NOW);
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** The database, with its transactions counted. Each has a connection of its own, with statistics of its own. */
    private DataSource counted() {
        return passing(DataSource.class, (method, args) -> {
            var result = method.invoke(database, args);
            return result instanceof Connection connection ? counted(connection) : result;
        });
    }

    private Connection counted(Connection connection) {
        return passing(Connection.class, (method, args) -> {
            if (method.getName().equals("commit")) {
                count(connection);
            }
            return method.invoke(connection, args);
        });
    }

    private void count(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(COUNTS)) {
            while (rows.next()) {
                var words = rows.getString(1).split(" ");
                updates.merge(words[0], new Updates(Long.parseLong(words[1]), Long.parseLong(words[2])), Updates::plus);
            }
        }
    }

    /** The updates of a table while 64 writers do something 50 times each, at once. */
    private Updates of(String table, BiConsumer<Integer, Integer> action) {
        var before = updates.getOrDefault(table, Updates.NONE);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var number = 1; number <= WRITERS; number++) {
                var writer = number;
                threads.submit(() -> {
                    for (var time = 0; time < TIMES; time++) {
                        action.accept(writer, time);
                    }
                });
            }
        }
        return updates.get(table).minus(before);
    }

    private static void areHot(Updates updates, int expected) {
        assertThat(updates.all).isEqualTo(expected);
        assertThat(updates.hot).as("of %s", updates).isGreaterThan((long) (MOST * expected));
    }

    @Test
    void progress_of_a_running_task_writes_no_index() {
        var last = new ConcurrentHashMap<Integer, Change>();
        for (var number = 1; number <= WRITERS; number++) {
            store.commit(creation(task(number)));
            last.put(number, start(task(number), lease));
            store.commit(last.get(number));
        }
        var progress = of("task", (number, time) -> {
            last.computeIfPresent(number, (key, before) -> progress(before.after(), time));
            store.commit(last.get(number));
        });
        areHot(progress, WRITERS * TIMES);
    }

    @Test
    void the_use_of_a_session_writes_no_index() {
        for (var number = 1; number <= WRITERS; number++) {
            store.rows().put(session(number, NOW.plusSeconds(60)));
        }
        var uses = of("handle", (number, time) -> store.rows().put(session(number, NOW.plusSeconds(60 + time))));
        areHot(uses, WRITERS * TIMES);
    }

    private static StoredRow session(int number, Instant expiry) {
        return new StoredRow("session", "s" + number, Payload.ofText("x".repeat(300)), expiry);
    }

    @Test
    void renewals_of_leases_and_claims_on_slots_write_no_index() throws SQLException {
        var shared = store.sharedTasks().orElseThrow();
        for (var time = 0; time <= TIMES; time++) {
            TestDatabase.run(
                    database, "UPDATE longhaul.lease SET expires_at = clock_timestamp() + interval '9 seconds'");
            shared.allot(lease, List.of(new Allotment.Want("work", 3, 0, time % 2, null)));
        }
        areHot(updates.get("lease"), TIMES + 1);
        areHot(updates.get("slot"), TIMES);
    }
}
