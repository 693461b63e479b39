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

    @Override
    protected void pass(Path folder, Duration time) throws SQLException {
        TestDatabase.pass(folder, time);
    }
}
