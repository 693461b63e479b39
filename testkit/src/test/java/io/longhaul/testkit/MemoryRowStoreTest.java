package io.longhaul.testkit;

import io.longhaul.engine.store.TaskStore;

final class MemoryRowStoreTest extends RowStoreContract {
    @Override
    protected TaskStore open() {
        return new MemoryTaskStore();
    }
}
