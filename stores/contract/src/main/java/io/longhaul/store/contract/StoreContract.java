// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.contract;

import static io.longhaul.store.contract.TaskFixtures.creation;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Task;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The common base of the parts of the contract: a store that is opened before each test and closed after it. */
abstract class StoreContract {

    private final TaskStoreContract stores;

    @TempDir
    Path folder;

    TaskStore store;

    StoreContract(TaskStoreContract stores) {
        this.stores = stores;
    }

    @BeforeEach
    void openStore() throws Exception {
        store = stores.open(folder);
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    /** Closes {@code before} and opens it again, as a restarted process would. */
    final TaskStore reopen(TaskStore before) throws Exception {
        return stores.reopen(before, folder);
    }

    final Task created(Task task) {
        return committed(creation(task));
    }

    final Task committed(Change change) {
        assertThat(store.commit(change)).isEqualTo(new CommitResult.Committed());
        return change.after();
    }
}
