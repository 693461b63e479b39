package io.longhaul.testkit;

import io.longhaul.engine.store.TaskStore;

class MemoryTaskRaceTest extends TaskRaceContract {
    @Override
    protected TaskStore open() {
        return new MemoryTaskStore();
    }
}
