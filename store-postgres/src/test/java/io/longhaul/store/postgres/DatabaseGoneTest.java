// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.progress;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.StoreException;
import io.longhaul.store.contract.TaskFixtures;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.testkit.NeedsPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that is stopped and started again under its store. */
@NeedsPostgres
final class DatabaseGoneTest {

    @TempDir
    Path folder;

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
}
