// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.store.contract.TaskStoreContract;
import io.longhaul.testkit.NeedsPostgres;
import java.nio.file.Path;
import java.sql.SQLException;

@NeedsPostgres
final class PostgresTaskStoreTest extends TaskStoreContract {

    /** On a busy machine a restart takes longer than the term of a lease, which says nothing here. */
    @Override
    protected TaskStore open(Path folder) throws SQLException {
        var schema = TestDatabase.schemaOf(folder);
        var store = TestDatabase.store(schema);
        TestDatabase.run("UPDATE " + schema + ".lease SET expires_at = clock_timestamp() + interval '1 hour'"
                + " WHERE expires_at > '-infinity'");
        return store;
    }

    @Override
    protected int races() {
        return 5;
    }
}
