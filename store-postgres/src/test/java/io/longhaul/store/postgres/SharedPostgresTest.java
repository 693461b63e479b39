// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.store.contract.SharedStoreContract;
import io.longhaul.testkit.NeedsPostgres;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;

@NeedsPostgres
final class SharedPostgresTest extends SharedStoreContract {

    @Override
    protected TaskStore open(Path folder) {
        return TestDatabase.store(TestDatabase.schemaOf(folder));
    }

    /** All that the clock of the database is compared with happened so much earlier. */
    @Override
    protected void pass(Path folder, Duration time) throws SQLException {
        var by = " - interval '" + time.toMillis() + " milliseconds'";
        TestDatabase.run("UPDATE " + TestDatabase.schemaOf(folder) + ".lease SET expires_at = expires_at" + by
                + ", held_since = held_since" + by);
    }
}
