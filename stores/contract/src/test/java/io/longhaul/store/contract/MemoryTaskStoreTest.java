// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.contract;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.fakes.MemoryTaskStore;
import java.nio.file.Path;

final class MemoryTaskStoreTest extends TaskStoreContract {

    @Override
    protected TaskStore open(Path folder) {
        return new MemoryTaskStore();
    }

    @Override
    protected TaskStore reopen(TaskStore store, Path folder) {
        return ((MemoryTaskStore) store).reopen();
    }
}
