package io.longhaul.store.jdbc;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.testkit.TaskRetentionContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class SqliteTaskRetentionTest extends TaskRetentionContract {
    @TempDir
    Path folder;

    @Override
    protected TaskStore open() {
        return SqliteTaskStore.at(folder.resolve("tasks.db"));
    }

    @Override
    protected TaskStore reopen(TaskStore store) {
        store.close();
        return open();
    }
}
