// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.progress;
import static io.longhaul.store.contract.TaskFixtures.start;
import static io.longhaul.store.contract.TaskFixtures.task;
import static io.longhaul.store.postgres.TestDatabase.passing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Task;
import io.longhaul.testkit.NeedsPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that stops, as by SIGSTOP, between the last statement of a transaction and its commit. */
@NeedsPostgres
@Timeout(120)
final class StalledNodeTest {

    private final CountDownLatch stalled = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private volatile boolean stalls;

    @Test
    void what_a_node_has_not_committed_before_it_lost_its_lease_is_never_written() throws Exception {
        var database = TestDatabase.newDatabase();
        try (var stalling = PostgresTaskStore.at(stalling(database));
                var other = PostgresTaskStore.at(database)) {
            var lost = stalling.join("stalling", NOW);
            var taker = other.join("other", NOW);
            stalling.commit(creation(task(1)));
            var started = start(task(1), lost);
            stalling.commit(started);
            stalls = true;
            var write = new FutureTask<>(() -> stalling.commit(progress(started.after(), 1)));
            Thread.ofPlatform().start(write);
            stalled.await();
            lapse(database, "stalling");

            assertThat(other.claim(taker, 10, NOW))
                    .as("the task that the open transaction has written")
                    .isEmpty();
            List<Task> claimed = List.of();
            while (claimed.isEmpty()) {
                claimed = other.claim(taker, 10, NOW);
            }
            goesOn.countDown();
            assertThatThrownBy(write::get).hasCauseInstanceOf(StoreException.class);
            assertThat(other.find(id(1))).contains(claimed.getFirst());
            assertThat(claimed.getFirst().status().progress()).isNull();
            assertThat(stalling.commit(progress(started.after(), 2))).isEqualTo(new CommitResult.Fenced());
        }
    }

    /** Ends the lease of a node, while all other leases have held for long. */
    private static void lapse(DataSource database, String node) throws SQLException {
        TestDatabase.run(database, "UPDATE longhaul.lease SET held_since = held_since - interval '1 hour'");
        TestDatabase.run(
                database, "UPDATE longhaul.lease SET expires_at = clock_timestamp() WHERE node = '" + node + "'");
    }

    /** A database whose connections wait before a commit, once {@link #stalls} says so. */
    private DataSource stalling(DataSource database) {
        return passing(DataSource.class, (method, args) -> {
            var made = method.invoke(database, args);
            return made instanceof Connection connection ? stalling(connection) : made;
        });
    }

    private Connection stalling(Connection connection) {
        return passing(Connection.class, (method, args) -> {
            if (stalls && method.getName().equals("commit")) {
                stalls = false;
                stalled.countDown();
                goesOn.await();
            }
            return method.invoke(connection, args);
        });
    }
}
