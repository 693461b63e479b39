package io.longhaul.testkit;

import static io.longhaul.testkit.TaskFixtures.creation;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Task;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What the contracts of stores have in common: a store that is opened before each test and closed after it. */
public abstract class StoreContract {

    /** An empty folder for the files of a store. */
    @TempDir
    protected Path folder;

    protected TaskStore store;

    /** Opens a store; an empty one when {@link #folder} is empty. */
    protected abstract TaskStore open() throws Exception;

    /** Closes {@code store}, and opens what is left of it as a restarted process would. */
    protected TaskStore reopen(TaskStore store) throws Exception {
        if (store instanceof MemoryTaskStore memory) {
            return memory.reopen();
        }
        store.close();
        return open();
    }

    @BeforeEach
    void openStore() throws Exception {
        store = open();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    protected final Task created(Task task) {
        return committed(creation(task));
    }

    protected final Task committed(Change change) {
        assertThat(store.commit(change)).isEqualTo(new CommitResult.Committed());
        return change.after();
    }
}
