// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static io.longhaul.store.contract.TaskFixtures.BOB;
import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.end;
import static io.longhaul.store.contract.TaskFixtures.progress;
import static io.longhaul.store.contract.TaskFixtures.question;
import static io.longhaul.store.contract.TaskFixtures.result;
import static io.longhaul.store.contract.TaskFixtures.retained;
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
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a node has written before one of a newer version comes: a row of each kind. Not to be changed, since recordings
 * of older versions hold it.
 */
final class PastTasks {

    static final Lease OLD = new Lease("old", 1);
    static final StoredRow SESSION = new StoredRow("session", "s", Payload.ofText("{}"), NOW.plusSeconds(9));

    static final Task DONE = last(done());
    static final Task RUNNING = last(running());
    static final Task ASKING = last(asking());
    static final Task STOPPING = last(stopping());
    static final Task WAITING = task(5);
    static final Task LARGE = last(large());
    static final Task SHORT = last(shortlyKept());

    private PastTasks() {}

    private static List<Change> done() {
        var started = start(task(1), OLD);
        return List.of(creation(task(1)), started, end(started.after(), result("done"), NOW, true));
    }

    private static List<Change> running() {
        var started = start(task(2), OLD);
        return List.of(creation(task(2)), started, progress(started.after(), 30));
    }

    private static List<Change> asking() {
        var started = start(task(3), OLD);
        return List.of(creation(task(3)), started, question(started.after(), "q", Payload.ofText("{}")));
    }

    private static List<Change> stopping() {
        var started = start(task(4), OLD);
        return List.of(creation(task(4)), started, cancel(started.after()));
    }

    private static List<Change> large() {
        var keyed = task(6, BOB, new CreationKey("key", "digest"));
        return List.of(creation(keyed), end(keyed, result("r".repeat(1_100)), NOW, true));
    }

    private static List<Change> shortlyKept() {
        var failed = end(task(7), new Outcome.Error(-32602, "no", Payload.ofText("{}")), NOW, true);
        return List.of(
                creation(task(7)), failed, retained(failed.after(), Retention.fromCreation(Duration.ofMinutes(1))));
    }

    static Change cancel(Task task) {
        return end(task, new Outcome.Cancelled("wanted"), NOW, false);
    }

    private static Task last(List<Change> changes) {
        return changes.getLast().after();
    }

    /** Writes them. */
    static void write(TaskStore store) {
        assertThat(store.join(OLD.node(), NOW)).isEqualTo(OLD);
        Stream.of(done(), running(), asking(), stopping(), List.of(creation(WAITING)), large(), shortlyKept())
                .flatMap(List::stream)
                .forEach(change -> commit(store, change));
        store.rows().put(SESSION);
    }

    static void commit(TaskStore store, Change change) {
        assertThat(store.commit(change)).isEqualTo(new CommitResult.Committed());
    }

    /** Fails where something of them cannot be read. */
    static void areIn(TaskStore store) {
        for (var known : List.of(DONE, RUNNING, ASKING, STOPPING, WAITING, LARGE, SHORT)) {
            assertThat(store.find(known.id())).contains(known);
        }
        assertThat(store.rows().get("session", "s", NOW)).contains(SESSION);
    }
}
