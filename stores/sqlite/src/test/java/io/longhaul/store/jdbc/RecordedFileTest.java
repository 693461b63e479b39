// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import static io.longhaul.store.contract.TaskFixtures.ALICE;
import static io.longhaul.store.contract.TaskFixtures.BOB;
import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.answer;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.end;
import static io.longhaul.store.contract.TaskFixtures.progress;
import static io.longhaul.store.contract.TaskFixtures.question;
import static io.longhaul.store.contract.TaskFixtures.result;
import static io.longhaul.store.contract.TaskFixtures.start;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Stamp;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskFilter;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskStatus;
import io.longhaul.fakes.MemoryTaskStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Data files of every schema that was ever released open with all their content. To record one for a new schema, run
 * this test with {@code -Dlonghaul.record=PATH}; never record an old one again.
 */
final class RecordedFileTest {
    private static final StoredRow HANDLE = new StoredRow("session", "s", Payload.ofText("{}"), NOW.plusSeconds(9));

    @TempDir
    Path folder;

    private final Map<TaskId, Task> latest = new HashMap<>();
    private final Map<TaskId, List<TaskEvent>> events = new HashMap<>();

    @Test
    void a_file_of_schema_1_opens_with_all_its_content() throws IOException {
        var wanted = System.getProperty("longhaul.record");
        if (wanted != null) {
            record(Path.of(wanted));
            return;
        }
        var file = folder.resolve("tasks.db");
        try (var recorded = RecordedFileTest.class.getResourceAsStream("V1.sqlite")) {
            Files.copy(recorded, file);
        }
        // The same content in memory says what is to be found.
        try (var memory = new MemoryTaskStore()) {
            fill(memory);
        }
        try (var store = SqliteTaskStore.at(file)) {
            latest.values().forEach(task -> {
                assertThat(store.find(task.id())).contains(asOfSchema1(task));
                assertThat(store.history(task.id(), 0, 100)).isEqualTo(events.get(task.id()));
            });
            assertThat(store.list(TaskFilter.of(ALICE), null, 100).tasks()).hasSize(4);
            assertThat(store.list(TaskFilter.of(BOB), null, 100).tasks()).hasSize(1);
            assertThat(store.rows().get("session", "s", NOW)).contains(HANDLE);
            var lease = store.join("recorder", NOW);
            assertThat(lease).isEqualTo(new Lease("recorder", 3));
            assertThat(store.claim(lease, 100, NOW)).hasSize(3);
        }
    }

    /** Kept for an hour, as every task was when the file was recorded, and without a word on where its output ends. */
    private static Task asOfSchema1(Task task) {
        var s = task.status();
        var status = new TaskStatus(
                s.state(),
                s.message(),
                s.progress(),
                s.inputs(),
                s.ending(),
                s.retention().atLeast(Duration.ofHours(1)));
        var stamp = task.stamp();
        long last = stamp.lastEvent();
        return new Task(
                task.id(),
                task.spec(),
                status,
                task.tenure(),
                new Stamp(stamp.version(), last, last, last, stamp.updatedAt()));
    }

    private void record(Path path) {
        try (var store = SqliteTaskStore.at(path)) {
            fill(store);
        }
    }

    private void fill(TaskStore store) {
        store.join("recorder", NOW);
        var lease = store.join("recorder", NOW);
        commit(store, creation(task(1)));
        var asking = commit(store, start(commit(store, creation(task(2))), lease));
        asking = commit(store, question(asking, "q1", Payload.ofText("{\"ask\":\"größe?\"}")));
        asking = commit(store, answer(asking, "q1", Payload.ofText("x".repeat(3_000))));
        commit(store, question(asking, "q2", Payload.ofText("{}")));
        var done = commit(store, start(commit(store, creation(task(3))), lease));
        done = commit(store, progress(done, 50));
        commit(store, end(done, result("r".repeat(5_000)), NOW.plusSeconds(5), true));
        var stopping = commit(store, start(commit(store, creation(task(4))), lease));
        commit(store, end(stopping, new Outcome.Cancelled("wanted"), NOW, false));
        var keyed = commit(store, creation(task(5, BOB, new CreationKey("key", "digest"))));
        commit(store, end(keyed, new Outcome.Error(-32602, "no", Payload.ofText("{}")), NOW, true));
        store.rows().put(HANDLE);
    }

    private Task commit(TaskStore store, Change change) {
        assertThat(store.commit(change)).isEqualTo(new CommitResult.Committed());
        var task = change.after();
        latest.put(task.id(), task);
        if (change.before() == null) {
            events.put(task.id(), new ArrayList<>());
        }
        events.get(task.id()).addAll(change.events());
        return task;
    }
}
