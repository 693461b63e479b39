package io.longhaul.testkit;

import io.longhaul.engine.store.TaskStore;

final class MemoryTaskListTest extends TaskListContract {
    @Override
    protected TaskStore open() {
        return new MemoryTaskStore();
    }
}
