package io.longhaul.store.jdbc;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.testkit.TaskRetentionContract;

final class SqliteTaskRetentionTest extends TaskRetentionContract {
    @Override
    protected TaskStore open() {
        return SqliteTaskStore.at(folder.resolve("tasks.db"));
    }
}
