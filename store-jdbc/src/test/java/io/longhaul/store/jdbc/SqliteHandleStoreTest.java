package io.longhaul.store.jdbc;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.testkit.HandleStoreContract;

final class SqliteHandleStoreTest extends HandleStoreContract {
    @Override
    protected TaskStore open() {
        return SqliteTaskStore.at(folder.resolve("tasks.db"));
    }
}
