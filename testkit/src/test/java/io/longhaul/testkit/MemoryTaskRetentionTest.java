package io.longhaul.testkit;

import io.longhaul.engine.store.TaskStore;

final class MemoryTaskRetentionTest extends TaskRetentionContract {
    @Override
    protected TaskStore open() {
        return new MemoryTaskStore();
    }
}
