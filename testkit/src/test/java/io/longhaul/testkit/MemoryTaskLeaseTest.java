package io.longhaul.testkit;

import io.longhaul.engine.store.TaskStore;

final class MemoryTaskLeaseTest extends TaskLeaseContract {
    @Override
    protected TaskStore open() {
        return new MemoryTaskStore();
    }
}
