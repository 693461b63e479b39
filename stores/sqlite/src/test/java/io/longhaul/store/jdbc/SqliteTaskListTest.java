// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import static io.longhaul.store.contract.TaskFixtures.ALICE;
import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.end;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.result;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.engine.task.TaskState;
import io.longhaul.store.jdbc.sql.TaskListing;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One live task of a rare tool behind more ended ones than are looked at for a page. */
final class SqliteTaskListTest {

    private static final long OTHERS = TaskListing.LOOKED_AT + 10;

    private final Task rare =
            task(1, new TaskSpec(ALICE, "rare", Payload.ofText("{}"), Payload.ofText("{}"), null, NOW));

    @AutoClose
    private SqliteTaskStore store;

    @BeforeEach
    void createAll(@TempDir Path folder) throws Exception {
        store = SqliteTaskStore.at(folder.resolve("tasks.db"));
        store.commit(creation(rare));
        // Commits of many threads share a transaction.
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var made = LongStream.rangeClosed(2, OTHERS + 1)
                    .<Callable<CommitResult>>mapToObj(number -> () -> createAndEnd(task(number)))
                    .toList();
            for (var one : threads.invokeAll(made)) {
                assertThat(one.get()).isEqualTo(new CommitResult.Committed());
            }
        }
    }

    private CommitResult createAndEnd(Task task) {
        store.commit(creation(task));
        return store.commit(end(task, result("x"), NOW, true));
    }

    @Test
    void the_search_for_its_tool_ends_a_page_without_it_and_goes_on() {
        var ofRareTool = TaskFilter.ALL.ofWork("rare");
        var first = store.list(ofRareTool, null, 10);
        assertThat(first.tasks()).isEmpty();
        assertThat(first.next()).isEqualTo(id(OTHERS + 2 - TaskListing.LOOKED_AT));
        var second = store.list(ofRareTool, first.next(), 10);
        assertThat(second.tasks()).containsExactly(rare);
        assertThat(second.next()).isNull();
    }

    @Test
    void the_search_for_its_state_finds_it_on_the_first_page() {
        var live = TaskFilter.of(ALICE).in(TaskState.SUBMITTED, TaskState.WORKING);
        assertThat(store.list(live, null, 1).tasks()).containsExactly(rare);
        assertThat(store.list(live, null, 1).next()).isNull();
    }
}
