package io.longhaul.store.jdbc;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.testkit.TaskStoreContract;

final class SqliteTaskStoreTest extends TaskStoreContract {
    @Override
    protected TaskStore open() {
        return SqliteTaskStore.at(folder.resolve("tasks.db"));
    }
}
