// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.ALICE;
import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.progress;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.store.contract.TaskFixtures;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.testkit.NeedsPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A database that is stopped and started again under its store, whose callers are told so and do not wait for it. */
@Timeout(100)
@NeedsPostgres
final class DatabaseGoneTest {

    @TempDir
    Path folder;

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final Outcome result = new Outcome.Result(Payload.ofText("done"), false);
    private final Work work = new Work("work", this::run, CrashPolicy.FAIL, null, 10);
    private final Creation creation = new Creation(ALICE, "work", Payload.EMPTY, Payload.EMPTY, null, null);

    private Outcome run(Run run) throws InterruptedException {
        begun.countDown();
        end.await();
        return result;
    }

    private EmbeddedPostgres start(int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("data"))
                .setCleanDataDirectory(false)
                .setServerConfig("fsync", "on")
                .setPort(port)
                .start();
    }

    @Test
    void nothing_is_acknowledged_while_the_database_is_gone_and_all_goes_on_when_it_is_back() throws Exception {
        var server = start(0);
        int port = server.getPort();
        try (var store = PostgresTaskStore.at(server.getJdbcUrl("postgres", "postgres"), null, null, DataKeys.NONE)) {
            var lease = store.join("node", NOW);
            store.commit(creation(task(1)));
            var running = TaskFixtures.start(task(1), lease);
            assertThat(store.commit(running)).isEqualTo(new CommitResult.Committed());
            server.close();
            assertThatThrownBy(() -> store.commit(progress(running.after(), 1)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("the database cannot be reached");
            assertThatThrownBy(() -> store.find(id(1))).isInstanceOf(StoreException.class);
            server = start(port);
            assertThat(store.find(id(1))).contains(running.after());
            assertThat(store.commit(progress(running.after(), 2))).isEqualTo(new CommitResult.Committed());
        } finally {
            server.close();
        }
    }

    @Test
    void a_task_that_ends_while_the_database_is_gone_has_ended_when_it_is_back() throws Exception {
        var server = start(0);
        int port = server.getPort();
        var address = server.getJdbcUrl("postgres", "postgres");
        try (var store = PostgresTaskStore.at(address, null, null, DataKeys.NONE);
                var engine = DurableEngine.builder().store(store).work(work).start()) {
            var running = ((Created.New) engine.create(creation)).task();
            begun.await();
            server.close();
            assertThatThrownBy(() -> engine.create(creation)).isInstanceOf(StoreException.class);
            assertThat(engine.find(ALICE, running.id())).isPresent();
            end.countDown();
            server = start(port);
            assertThat(outcome(engine, running)).isEqualTo(result);
        } finally {
            server.close();
        }
    }

    private static Outcome outcome(TaskEngine engine, Task task) throws InterruptedException {
        var now = task;
        while (now.ending() == null) {
            now = engine.awaitChange(ALICE, task.id(), now.position().version(), Instant.MAX)
                    .orElseThrow();
        }
        return now.ending().outcome();
    }

    @Test
    void callers_do_not_notice_that_all_connections_were_cut() throws Exception {
        try (var server = start(0);
                var store = PostgresTaskStore.at(server.getJdbcUrl("postgres", "postgres"), null, null, DataKeys.NONE);
                var engine = DurableEngine.builder().store(store).work(work).start()) {
            var running = ((Created.New) engine.create(creation)).task();
            begun.await();
            cut(server);
            var next = ((Created.New) engine.create(creation)).task();
            cut(server);
            end.countDown();
            assertThat(outcome(engine, running)).isEqualTo(result);
            assertThat(outcome(engine, next)).isEqualTo(result);
        }
    }

    private static void cut(EmbeddedPostgres server) throws SQLException {
        assertThat(TestDatabase.query(server.getPostgresDatabase(), """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()\
            """)).isNotEmpty();
    }
}
