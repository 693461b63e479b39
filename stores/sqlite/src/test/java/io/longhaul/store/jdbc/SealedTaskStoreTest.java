// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.store.contract.TaskStoreContract;
import java.nio.file.Path;
import java.security.SecureRandom;

/** A store with keys does all that a store does. */
final class SealedTaskStoreTest extends TaskStoreContract {

    private final DataKeys keys = DataKeys.parse(DataKeys.generate("k", new SecureRandom()));

    @Override
    protected TaskStore open(Path folder) {
        return SqliteTaskStore.at(folder.resolve("tasks.db"), keys);
    }

    @Override
    protected int races() {
        return 1;
    }
}
