// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.contract;

import io.longhaul.engine.store.TaskStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

/**
 * What each {@link TaskStore} must do, as tests of JUnit; one of several servers must do what
 * {@link SharedStoreContract} says, too. The author of a store extends this class, says how a store is opened, and runs
 * it as any other test. A later release may ask for more; the tests come by themselves then.
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
     * @param folder for its files, of one test alone: an empty one means an empty store. A store that keeps its tasks
     *               elsewhere makes that place empty where the folder is new to it
     */
    protected abstract TaskStore open(Path folder) throws Exception;

    /**
     * Closes {@code store}, and opens what is left of it as a restarted process would: by default, opens the same
     * folder again.
     */
    protected TaskStore reopen(TaskStore store, Path folder) throws Exception {
        store.close();
        return open(folder);
    }

    /** How often any two things that can befall a task come at once: fewer for a store whose commits take long. */
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

    /** Two things that befall a task at once. */
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
