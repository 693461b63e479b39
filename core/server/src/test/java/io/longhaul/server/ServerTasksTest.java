// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine.Cancelled;
import io.longhaul.engine.TaskEngine.Deleted;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.ListedTasks;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.receiver.observe.Rule;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.observe.ServerEvent.Way;
import io.longhaul.server.ElicitResult.Action;
import io.longhaul.server.ServerTasks.Answered;
import io.longhaul.server.ServerTasks.Started;
import io.longhaul.server.TaskWatch.TaskChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What an application does with the tasks of its own server. */
class ServerTasksTest {

    private static final Owner ALICE = new Owner("alice");
    private static final TaskId UNKNOWN = new TaskId("0".repeat(36));

    private final Semaphore steps = new Semaphore(0);
    private final FakeTime time = new FakeTime();
    private final List<ServerEvent> told = new CopyOnWriteArrayList<>();

    @AutoClose
    private final Served served = Served.with(
            server -> server.time(time).observer(told::add),
            Tools.greet(),
            Tools.asks(),
            Tools.walks(steps, (none, task) -> "walked"),
            Tool.define("says").input(Tools.Name.class).longRunning().handler((who, task) -> {
                task.log("info", "before");
                return "Hello, " + who.name();
            }));

    private final ServerTasks tasks = served.server().tasks();
    private final ServerTasks alices = served.server().tasks(ALICE);

    @Test
    void a_tool_is_called_for_an_owner_whose_clients_see_the_task_in_every_generation() throws Exception {
        var task = started(alices.start("says", new Tools.Name("Ada")));
        assertThat(ended(task.id()).ending().outcome()).isInstanceOf(Outcome.Result.class);
        assertThat(served.stateless(Served.TASKS)
                        .ask("tasks/get", taskId(task.id().value()))
                        .path("result")
                        .path("status")
                        .asString())
                .isEqualTo("completed");
        assertThat(served.handshake("2025-11-25").onlyTask())
                .isEqualTo(task.id().value());
        assertThat(served.handshake("2025-11-25", Served.BOB)
                        .ask("tasks/get", taskId(task.id().value()))
                        .has("error"))
                .isTrue();
    }

    @Test
    void a_call_under_a_key_is_made_once_by_each_owner() throws Exception {
        var first = started(alices.start("says", new Tools.Name("Ada"), "message 7"));
        ended(first.id());
        for (int delivery = 2; delivery <= 5; delivery++) {
            assertThat(alices.start("says", new Tools.Name("Ada"), "message 7"))
                    .isInstanceOfSatisfying(
                            Started.Same.class,
                            same -> assertThat(same.task().id()).isEqualTo(first.id()));
        }
        assertThat(alices.list(TaskFilter.ALL, null, 10).tasks()).hasSize(1);
        assertThat(refused(alices.start("says", new Tools.Name("Bob"), "message 7")))
                .contains("The key was used before for another call");
        assertThat(told)
                .filteredOn(event -> event instanceof ServerEvent.TaskCreated)
                .map(event -> ((ServerEvent.TaskCreated) event).way())
                .containsExactly(Way.NEW, Way.REPEATED, Way.REPEATED, Way.REPEATED, Way.REPEATED);
        assertThat(told)
                .filteredOn(event -> event instanceof ServerEvent.Refused)
                .map(event -> ((ServerEvent.Refused) event).rule())
                .containsExactly(Rule.KEY_REUSED);
        assertThat(tasks.start("says", new Tools.Name("Ada"), "message 7")).isInstanceOf(Started.New.class);
        assertThat(alices.start("says", new Tools.Name("Ada"), "message 8")).isInstanceOf(Started.New.class);
    }

    @Test
    void a_call_that_makes_no_sense_says_what_is_wrong_with_it() {
        assertThat(refused(alices.start("sings", Map.of()))).contains("Unknown tool: sings");
        assertThat(refused(alices.start("greet", Map.of("name", "Ada")))).contains("greet cannot be called as a task");
        assertThat(refused(alices.start("says", Map.of()))).contains("says").contains("name");
        assertThat(tasks.list(TaskFilter.ALL, null, 10)).isEqualTo(ListedTasks.NONE);
    }

    @Test
    void tasks_are_listed_by_owner_tool_state_and_age_page_by_page() throws Exception {
        var walking = started(alices.start("walks", Map.of()));
        time.advance(Duration.ofMillis(1));
        var said = started(alices.start("says", new Tools.Name("Ada")));
        ended(said.id());
        time.advance(Duration.ofMinutes(1));
        var bobs = started(served.server().tasks(new Owner("bob")).start("walks", Map.of()));
        assertThat(ids(tasks.list(TaskFilter.ALL, null, 2))).containsExactly(bobs.id(), said.id());
        assertThat(ids(tasks.list(TaskFilter.ALL, said.id(), 2))).containsExactly(walking.id());
        assertThat(ids(tasks.list(TaskFilter.ALL.ofWork("walks"), null, 9))).containsExactly(bobs.id(), walking.id());
        assertThat(ids(tasks.list(TaskFilter.ALL.in(TaskState.COMPLETED), null, 9)))
                .containsExactly(said.id());
        assertThat(ids(tasks.list(TaskFilter.ALL.createdSince(time.now()), null, 9)))
                .containsExactly(bobs.id());
        assertThat(ids(tasks.list(TaskFilter.of(ALICE).ofWork("walks"), null, 9)))
                .containsExactly(walking.id());
    }

    @Test
    void for_one_owner_the_tasks_of_another_do_not_exist() throws Exception {
        var id = started(alices.start("asks", Map.of())).id();
        var asked = question(id);
        var bobs = served.server().tasks(new Owner("bob"));
        assertThat(bobs.find(id)).isEmpty();
        assertThat(bobs.list(TaskFilter.of(ALICE), null, 9)).isEqualTo(ListedTasks.NONE);
        assertThat(bobs.history(id, 0, 9)).isEmpty();
        assertThat(bobs.watch(id, 0)).isEmpty();
        assertThat(bobs.answer(id, asked, new ElicitResult<>(Action.DECLINE, null)))
                .isEqualTo(new Answered.NotFound());
        assertThat(bobs.cancel(id, null)).isEqualTo(new Cancelled.NotFound());
        tasks.cancel(id, null);
        assertThat(bobs.retry(id)).isEqualTo(new Started.NotFound());
        assertThat(bobs.delete(id)).isEqualTo(new Deleted.NotFound());
        assertThat(bobs.purge(TaskFilter.of(ALICE), time.now().plusSeconds(1))).isZero();
        assertThat(tasks.find(id)).isPresent();
    }

    @Test
    void a_bad_answer_leaves_the_question_open_and_a_good_one_goes_to_the_handler() throws Exception {
        var id = started(alices.start("asks", Map.of())).id();
        var key = question(id);
        var bad = alices.answer(id, key, new ElicitResult<>(Action.ACCEPT, Map.of("name", 7)));
        assertThat(((Answered.Refused) bad).problem()).contains("name");
        assertThat(alices.find(id).orElseThrow().outstanding()).hasSize(1);
        assertThat(alices.answer(id, "another", new ElicitResult<>(Action.DECLINE, null)))
                .isEqualTo(new Answered.NotFound());
        assertThat(alices.answer(id, key, new ElicitResult<>(Action.ACCEPT, new Tools.Name("Ada"))))
                .isInstanceOf(Answered.Done.class);
        assertThat(result(ended(id))).contains("It is Ada");
    }

    @Test
    void the_history_tells_what_has_happened_from_the_creation_to_the_end() throws Exception {
        var id = started(alices.start("says", new Tools.Name("Ada"))).id();
        ended(id);
        assertThat(tasks.history(id, 0, 100))
                .extracting(event -> event.what().getClass().getSimpleName())
                .containsExactly("Created", "Started", "Logged", "Ended");
        assertThat(tasks.history(id, 3, 100)).extracting(TaskEvent::seq).containsExactly(4L);
        assertThat(tasks.history(UNKNOWN, 0, 100)).isEmpty();
    }

    @Test
    void only_a_task_that_has_ended_is_called_again_with_the_same_arguments_for_the_same_owner() throws Exception {
        var walking = started(alices.start("walks", Map.of())).id();
        assertThat(refused(tasks.retry(walking))).contains("not ended");
        var said = started(alices.start("says", new Tools.Name("Ada"))).id();
        ended(said);
        var again = started(tasks.retry(said));
        assertThat(again.id()).isNotEqualTo(said);
        assertThat(again.owner()).isEqualTo(ALICE);
        assertThat(result(ended(again.id()))).contains("Hello, Ada");
        assertThat(refused(tasks.resume(said))).contains("has recorded no step");
        assertThat(tasks.retry(UNKNOWN)).isEqualTo(new Started.NotFound());
        served.server().removeTool("says");
        assertThat(refused(tasks.retry(said))).contains("Unknown tool: says");
    }

    @Test
    void a_purge_removes_what_has_ended_before_a_time_and_the_filter_takes() throws Exception {
        var old = started(alices.start("says", new Tools.Name("Ada"))).id();
        ended(old);
        time.advance(Duration.ofMinutes(10));
        var walking = started(alices.start("walks", Map.of())).id();
        time.advance(Duration.ofMillis(1));
        var recent = started(alices.start("says", new Tools.Name("Bob"))).id();
        ended(recent);
        var before = time.now().minus(Duration.ofMinutes(5));
        assertThat(tasks.purge(TaskFilter.ALL.ofWork("walks"), time.now().plusSeconds(1)))
                .isZero();
        assertThat(tasks.purge(TaskFilter.ALL, before)).isEqualTo(1);
        assertThat(ids(tasks.list(TaskFilter.ALL, null, 9))).containsExactly(recent, walking);
        assertThat(tasks.delete(recent)).isEqualTo(new Deleted.Done());
        assertThat(tasks.delete(walking)).isInstanceOf(Deleted.StillLive.class);
    }

    @Test
    void a_watch_tells_each_change_from_the_first_event_to_the_end_and_then_nothing_more() throws Exception {
        var id = started(alices.start("walks", Map.of())).id();
        var seen = new ArrayList<EventDetail>();
        try (var watch = alices.watch(id, 0).orElseThrow()) {
            steps.release(3);
            for (var change = watch.next(); change.isPresent(); change = watch.next()) {
                change.get().events().forEach(event -> seen.add(event.what()));
            }
        }
        assertThat(seen).first().isEqualTo(new EventDetail.Created());
        assertThat(seen).filteredOn(EventDetail.Ended.class::isInstance).hasSize(1);
        assertThat(seen).hasSize((int) tasks.find(id).orElseThrow().position().lastEvent());
    }

    @Test
    void a_watch_that_begins_behind_an_event_does_not_tell_it_again() throws Exception {
        var id = started(alices.start("says", new Tools.Name("Ada"))).id();
        ended(id);
        try (var watch = tasks.watch(id, 3).orElseThrow()) {
            assertThat(watch.next().map(TaskChange::events).orElseThrow())
                    .extracting(TaskEvent::seq)
                    .containsExactly(4L);
            assertThat(watch.next()).isEmpty();
        }
    }

    @Test
    void a_watch_that_is_closed_and_one_of_a_server_that_is_closed_end() throws Exception {
        var id = started(alices.start("walks", Map.of())).id();
        assertThat(tasks.watch(UNKNOWN, 0)).isEmpty();
        var closed = tasks.watch(id, 0).orElseThrow();
        closed.close();
        assertThat(closed.next()).isEmpty();
        var open = tasks.watch(id, 0).orElseThrow();
        var ended = new Semaphore(0);
        Thread.ofVirtual().start(() -> {
            drain(open);
            ended.release();
        });
        served.server().close();
        ended.acquire();
    }

    @Test
    void observers_are_told_what_an_application_does_to_tasks() throws Exception {
        var id = started(alices.start("asks", Map.of())).id();
        alices.answer(id, question(id), new ElicitResult<>(Action.DECLINE, null));
        ended(id);
        tasks.delete(id);
        assertThat(told)
                .extracting(event -> event.getClass().getSimpleName())
                .contains("TaskCreated", "AnswerTaken", "CallEnded", "TaskDeleted");
    }

    private static void drain(TaskWatch watch) {
        try {
            var change = watch.next();
            while (change.isPresent()) {
                change = watch.next();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Task started(Started started) {
        return ((Started.New) started).task();
    }

    private static String refused(Started started) {
        return ((Started.Refused) started).problem();
    }

    /** The key of the question that a task asks. */
    private String question(TaskId id) throws InterruptedException {
        try (var watch = tasks.watch(id, 0).orElseThrow()) {
            while (true) {
                var asked = watch.next().orElseThrow().task().outstanding();
                if (!asked.isEmpty()) {
                    return asked.getFirst().key();
                }
            }
        }
    }

    /** The task when its work has ended. */
    private Task ended(TaskId id) throws InterruptedException {
        try (var watch = tasks.watch(id, 0).orElseThrow()) {
            var last = watch.next();
            for (var next = last; next.isPresent(); next = watch.next()) {
                last = next;
            }
            return last.orElseThrow().task();
        }
    }

    private static String result(Task task) {
        return ((Outcome.Result) task.ending().outcome()).body().text();
    }

    private static List<TaskId> ids(ListedTasks page) {
        return page.tasks().stream().map(Task::id).toList();
    }
}
