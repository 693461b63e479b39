// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import static io.longhaul.store.contract.TaskFixtures.ALICE;
import static io.longhaul.store.contract.TaskFixtures.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqliteCrashTest {
    private static final int ROUNDS = 4;
    private static final int COMMITS_PER_ROUND = 500;
    private static final long IDS_PER_ROUND = 1_000_000;

    @TempDir
    Path folder;

    @Test
    void whatever_was_acknowledged_is_there_after_the_writer_was_killed() throws Exception {
        var file = folder.resolve("tasks.db");
        var acknowledged = new HashMap<TaskId, Long>();
        for (var round = 0; round < ROUNDS; round++) {
            commitUntilKilled(file, round, acknowledged);
            try (var store = SqliteTaskStore.at(file)) {
                acknowledged.forEach((id, version) -> {
                    var task = store.find(id).orElseThrow(() -> new AssertionError(id + " is lost"));
                    assertThat(task.position().version()).isGreaterThanOrEqualTo(version);
                });
                assertThat(store.list(TaskFilter.of(ALICE), null, Integer.MAX_VALUE)
                                .tasks())
                        .allSatisfy(task -> isWhole(store, task));
                store.claim(store.join("survivor", NOW), Integer.MAX_VALUE, NOW);
            }
        }
        assertThat(acknowledged.values().stream().mapToLong(version -> version).sum())
                .isGreaterThanOrEqualTo(ROUNDS * COMMITS_PER_ROUND);
    }

    private static void commitUntilKilled(Path file, int round, Map<TaskId, Long> acknowledged)
            throws IOException, InterruptedException {
        try (var writer = new OtherJvm(CommittingMain.class, file.toString(), Long.toString(round * IDS_PER_ROUND))) {
            for (var i = 0; i < COMMITS_PER_ROUND; i++) {
                note(writer.line(), acknowledged);
            }
            writer.kill();
            for (var line = writer.line(); line != null; line = writer.line()) {
                note(line, acknowledged);
            }
        }
    }

    /** The last line may be cut off by the kill. */
    private static void note(String line, Map<TaskId, Long> acknowledged) {
        var words = line.split(" ", 2);
        if (words.length == 2 && !words[1].isEmpty()) {
            acknowledged.merge(new TaskId(words[0]), Long.valueOf(words[1]), Math::max);
        }
    }

    private static void isWhole(SqliteTaskStore store, Task task) {
        var last = task.position().lastEvent();
        assertThat(store.history(task.id(), 0, 100))
                .extracting(TaskEvent::seq)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, last).boxed().toList());
        assertThat(task.state() == TaskState.COMPLETED).isEqualTo(task.ending() != null);
    }
}
