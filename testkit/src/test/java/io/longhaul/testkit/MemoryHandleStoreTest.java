package io.longhaul.testkit;

import io.longhaul.engine.store.TaskStore;

final class MemoryHandleStoreTest extends HandleStoreContract {
    @Override
    protected TaskStore open() {
        return new MemoryTaskStore();
    }
}
