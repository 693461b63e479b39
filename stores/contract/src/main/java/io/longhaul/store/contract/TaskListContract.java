// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.contract;

import static io.longhaul.store.contract.TaskFixtures.ALICE;
import static io.longhaul.store.contract.TaskFixtures.BOB;
import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.end;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.question;
import static io.longhaul.store.contract.TaskFixtures.result;
import static io.longhaul.store.contract.TaskFixtures.start;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.ListedTasks;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Source;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of every {@link io.longhaul.engine.store.TaskStore} for lists of tasks. */
abstract class TaskListContract extends StoreContract {

    TaskListContract(TaskStoreContract stores) {
        super(stores);
    }

    @Test
    void list_gives_the_owners_tasks_newest_first_by_cursor() {
        for (var i = 1; i <= 5; i++) {
            created(task(i));
            created(task(i + 10, BOB, null));
        }
        var alices = TaskFilter.of(ALICE);
        assertThat(ids(store.list(alices, null, 2))).containsExactly(id(5), id(4));
        assertThat(ids(store.list(alices, id(4), 2))).containsExactly(id(3), id(2));
        assertThat(ids(store.list(alices, id(2), 2))).containsExactly(id(1));
        assertThat(store.list(alices, id(1), 2)).isEqualTo(ListedTasks.NONE);
        assertThat(store.list(alices, null, 0)).isEqualTo(ListedTasks.NONE);
    }

    @Test
    void list_gives_the_tasks_of_all_owners_newest_first_by_cursor() {
        created(task(1));
        created(task(2, BOB, null));
        created(task(3));
        assertThat(ids(store.list(TaskFilter.ALL, null, 2))).containsExactly(id(3), id(2));
        assertThat(ids(store.list(TaskFilter.ALL, id(2), 2))).containsExactly(id(1));
        assertThat(store.list(TaskFilter.ALL, null, 0)).isEqualTo(ListedTasks.NONE);
    }

    @Test
    void a_page_names_the_task_behind_which_the_next_one_begins_and_the_last_page_names_none() {
        for (var i = 1; i <= 4; i++) {
            created(task(i));
        }
        var first = store.list(TaskFilter.ALL, null, 2);
        assertThat(first.next()).isEqualTo(id(3));
        assertThat(store.list(TaskFilter.ALL, first.next(), 2).next()).isNull();
    }

    @Test
    void list_gives_the_tasks_of_one_work() {
        for (var i = 1; i <= 6; i++) {
            created(task(i, ofWork(i % 3 == 0 ? "build" : "wörk", i % 2 == 0 ? ALICE : BOB, NOW)));
        }
        assertThat(all(TaskFilter.ALL.ofWork("build"), 10)).containsExactly(id(6), id(3));
        assertThat(all(TaskFilter.of(BOB).ofWork("build"), 10)).containsExactly(id(3));
        assertThat(all(TaskFilter.of(ALICE).ofWork("wörk"), 1)).containsExactly(id(4), id(2));
        assertThat(all(TaskFilter.ALL.ofWork("Build"), 10)).isEmpty();
    }

    @Test
    void list_gives_the_tasks_in_some_states_as_they_are_now() throws Exception {
        var lease = store.join("a", NOW);
        created(task(1));
        var working = committed(start(created(task(2)), lease));
        var asking = committed(question(committed(start(created(task(3)), lease)), "q", Payload.ofText("{}")));
        var stopping = committed(end(committed(start(created(task(4)), lease)), result("x"), NOW, false));
        var ended = committed(end(created(task(5)), result("y"), NOW, true));
        store = reopen(store);
        assertThat(all(TaskFilter.ALL.in(TaskState.SUBMITTED), 10)).containsExactly(id(1));
        assertThat(all(TaskFilter.ALL.in(TaskState.INPUT_REQUIRED, TaskState.WORKING), 1))
                .containsExactly(asking.id(), working.id());
        assertThat(all(TaskFilter.of(ALICE).in(TaskState.COMPLETED), 1)).containsExactly(ended.id(), stopping.id());
        assertThat(all(TaskFilter.of(ALICE).in(TaskState.COMPLETED, TaskState.SUBMITTED), 10))
                .containsExactly(ended.id(), stopping.id(), id(1));
        assertThat(all(TaskFilter.of(BOB).in(TaskState.WORKING), 10)).isEmpty();
        assertThat(all(TaskFilter.ALL.in(TaskState.CANCELLED), 10)).isEmpty();
    }

    @Test
    void list_gives_the_tasks_created_since_a_time() {
        var times = List.of(NOW, NOW.plusSeconds(1), NOW.plusSeconds(2));
        times.forEach(time -> created(at(time)));
        assertThat(all(TaskFilter.ALL.createdSince(NOW.plusSeconds(1)), 1))
                .containsExactly(TaskId.first(times.get(2)), TaskId.first(times.get(1)));
        assertThat(all(TaskFilter.of(ALICE).createdSince(NOW.plusSeconds(1)).ofWork("wörk"), 10))
                .containsExactly(TaskId.first(times.get(2)), TaskId.first(times.get(1)));
        assertThat(all(TaskFilter.ALL.createdSince(NOW.plus(Duration.ofDays(1))), 10))
                .isEmpty();
    }

    @Test
    void list_gives_the_children_of_a_task_newest_first_by_cursor() throws Exception {
        var parent = created(task(1));
        var other = created(task(2));
        for (var i = 3; i <= 8; i++) {
            created(child(i, i == 5 ? other : parent, i % 2 == 0 ? "build" : "wörk"));
        }
        created(task(9));
        committed(end(created(child(10, parent, "build")), result("x"), NOW, true));
        store = reopen(store);
        var children = TaskFilter.ALL.childrenOf(parent);
        assertThat(ids(store.list(children, null, 2))).containsExactly(id(10), id(8));
        assertThat(ids(store.list(children, id(8), 2))).containsExactly(id(7), id(6));
        assertThat(all(children, 2)).containsExactly(id(10), id(8), id(7), id(6), id(4), id(3));
        assertThat(all(children.ofWork("build"), 1)).containsExactly(id(10), id(8), id(6), id(4));
        assertThat(all(children.in(TaskState.SUBMITTED).ofWork("build"), 9)).containsExactly(id(8), id(6), id(4));
        assertThat(all(children.in(TaskState.COMPLETED), 9)).containsExactly(id(10));
        assertThat(all(TaskFilter.ALL.childrenOf(other), 9)).containsExactly(id(5));
        assertThat(all(children.ownedBy(BOB), 9)).isEmpty();
        assertThat(store.routed(ALICE, Route.ofChildren(parent.id(), "call-7"), null, 9))
                .extracting(Task::id)
                .containsExactly(id(7));
    }

    private static Task child(long number, Task parent, String work) {
        var source = new Source(Payload.ofText("{}"), Route.ofChildren(parent.id(), "call-" + number));
        return task(number, new TaskSpec(ALICE, work, Payload.ofText("{}"), source, null, NOW));
    }

    @Test
    void every_task_that_a_filter_takes_is_on_exactly_one_page() {
        for (var i = 1; i <= 60; i++) {
            created(task(i, ofWork("w" + i % 7, i % 2 == 0 ? ALICE : BOB, NOW)));
        }
        for (var limit = 1; limit <= 5; limit++) {
            assertThat(all(TaskFilter.of(ALICE).ofWork("w4"), limit))
                    .containsExactly(id(60), id(46), id(32), id(18), id(4));
        }
    }

    private static TaskSpec ofWork(String work, Owner owner, Instant createdAt) {
        return new TaskSpec(owner, work, Payload.ofText("{}"), Payload.ofText("{}"), null, createdAt);
    }

    private static Task at(Instant time) {
        var task = task(1, ofWork("wörk", ALICE, time));
        return new Task(TaskId.first(time), task.spec(), task.status(), task.execution(), task.position());
    }

    /** The ids of all pages of {@code limit} tasks. */
    private List<TaskId> all(TaskFilter filter, int limit) {
        var found = new ArrayList<TaskId>();
        @Nullable TaskId next = null;
        do {
            var page = store.list(filter, next, limit);
            assertThat(page.tasks()).hasSizeLessThanOrEqualTo(limit).allMatch(filter::matches);
            found.addAll(ids(page));
            next = page.next();
        } while (next != null);
        return found;
    }

    private static List<TaskId> ids(ListedTasks page) {
        return page.tasks().stream().map(Task::id).collect(Collectors.toList());
    }
}
