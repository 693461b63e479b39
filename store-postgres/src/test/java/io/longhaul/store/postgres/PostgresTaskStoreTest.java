// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.store.contract.TaskStoreContract;
import java.nio.file.Path;

final class PostgresTaskStoreTest extends TaskStoreContract {

    @Override
    protected TaskStore open(Path folder) {
        return TestDatabase.store(TestDatabase.schemaOf(folder));
    }

    @Override
    protected int races() {
        return 5;
    }
}
