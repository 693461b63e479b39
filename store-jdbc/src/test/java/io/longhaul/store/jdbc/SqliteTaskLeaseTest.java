package io.longhaul.store.jdbc;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.testkit.TaskLeaseContract;

final class SqliteTaskLeaseTest extends TaskLeaseContract {
    @Override
    protected TaskStore open() {
        return SqliteTaskStore.at(folder.resolve("tasks.db"));
    }
}
