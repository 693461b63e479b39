// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.store.contract.TaskStoreContract;
import java.nio.file.Path;

final class SqliteTaskStoreTest extends TaskStoreContract {

    @Override
    protected TaskStore open(Path folder) {
        return SqliteTaskStore.at(folder.resolve("tasks.db"));
    }

    @Override
    protected int races() {
        return 20;
    }
}
