// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.contract;

import io.longhaul.engine.store.TaskStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

/**
 * The contract of every {@link TaskStore}, as JUnit tests; a store of several servers must pass
 * {@link SharedStoreContract} too. The author of a store extends this class with a method that opens the store, and
 * runs the class as any other test. A later release may add tests, which the subclass then inherits.
 *
 * <pre>{@code
 * final class MyTaskStoreTest extends TaskStoreContract {
 *     @Override
 *     protected TaskStore open(Path folder) {
 *         return MyTaskStore.at(folder.resolve("tasks"));
 *     }
 * }
 * }</pre>
 */
public abstract class TaskStoreContract {

    /**
     * Opens a store.
     *
     * @param folder for the files of the store, one folder for each test; an empty folder means an empty store. A store
     *               that keeps its tasks elsewhere empties that place for a folder it has not seen before
     */
    protected abstract TaskStore open(Path folder) throws Exception;

    /** Closes {@code store} and opens it again, as a restarted process would; by default, from the same folder. */
    protected TaskStore reopen(TaskStore store, Path folder) throws Exception {
        store.close();
        return open(folder);
    }

    /** How often each pair of acts on a task runs at once; override with fewer for a store with slow commits. */
    protected int races() {
        return 300;
    }

    /** Single tasks and their histories. */
    @Nested
    class Tasks extends SingleTaskContract {
        Tasks() {
            super(TaskStoreContract.this);
        }
    }

    /** Lists of tasks. */
    @Nested
    class Lists extends TaskListContract {
        Lists() {
            super(TaskStoreContract.this);
        }
    }

    /** Which server has which tasks. */
    @Nested
    class Leases extends TaskLeaseContract {
        Leases() {
            super(TaskStoreContract.this);
        }
    }

    /** How long tasks are kept. */
    @Nested
    class Retentions extends TaskRetentionContract {
        Retentions() {
            super(TaskStoreContract.this);
        }
    }

    /** Pairs of acts on a task, in turn and at once. */
    @Nested
    class Races extends TaskRaceContract {
        Races() {
            super(TaskStoreContract.this, races());
        }
    }

    /** Rows beside the tasks. */
    @Nested
    class Rows extends RowStoreContract {
        Rows() {
            super(TaskStoreContract.this);
        }
    }
}
