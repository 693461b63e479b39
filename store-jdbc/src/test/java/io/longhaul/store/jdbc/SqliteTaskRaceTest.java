package io.longhaul.store.jdbc;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.testkit.TaskRaceContract;

final class SqliteTaskRaceTest extends TaskRaceContract {
    @Override
    protected TaskStore open() {
        return SqliteTaskStore.at(folder.resolve("tasks.db"));
    }

    @Override
    protected int repetitions() {
        return 20;
    }
}
