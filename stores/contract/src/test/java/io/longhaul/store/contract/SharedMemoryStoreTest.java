// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.contract;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.nio.file.Path;
import java.time.Duration;

final class SharedMemoryStoreTest extends SharedStoreContract {

    private final FakeTime time = new FakeTime();
    private final MemoryTaskStore store = MemoryTaskStore.shared(time);

    @Override
    protected TaskStore open(Path folder) {
        return store;
    }

    @Override
    protected void pass(Path folder, Duration duration) {
        time.advance(duration);
    }
}
