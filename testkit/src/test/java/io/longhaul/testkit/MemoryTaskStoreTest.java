package io.longhaul.testkit;

import io.longhaul.engine.store.TaskStore;

final class MemoryTaskStoreTest extends TaskStoreContract {
    @Override
    protected TaskStore open() {
        return new MemoryTaskStore();
    }
}
