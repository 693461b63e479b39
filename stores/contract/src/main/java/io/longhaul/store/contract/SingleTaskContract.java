// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.contract;

import static io.longhaul.store.contract.TaskFixtures.ALICE;
import static io.longhaul.store.contract.TaskFixtures.BOB;
import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.answer;
import static io.longhaul.store.contract.TaskFixtures.change;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.end;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.progress;
import static io.longhaul.store.contract.TaskFixtures.question;
import static io.longhaul.store.contract.TaskFixtures.result;
import static io.longhaul.store.contract.TaskFixtures.start;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Attempts;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Execution;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Source;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.engine.task.TaskState;
import io.longhaul.engine.task.TaskStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of every {@link TaskStore} for single tasks and their histories. */
abstract class SingleTaskContract extends StoreContract {

    SingleTaskContract(TaskStoreContract stores) {
        super(stores);
    }

    @Test
    void a_created_task_is_found_as_it_was_written() {
        var task = created(task(1));
        assertThat(store.find(id(1))).contains(task);
        assertThat(store.history(id(1), 0, 10)).isEqualTo(creation(task).events());
    }

    @Test
    void an_unknown_task_is_not_found_and_has_no_history() {
        assertThat(store.find(id(1))).isEmpty();
        assertThat(store.history(id(1), 0, 10)).isEmpty();
    }

    @Test
    void a_change_of_an_unknown_task_is_missing() {
        var never = task(1);
        assertThat(store.commit(end(never, result("x"), NOW, true))).isEqualTo(new CommitResult.Missing());
        assertThat(store.commit(start(never, store.join("a", NOW)))).isEqualTo(new CommitResult.Missing());
    }

    @Test
    void of_two_changes_of_one_snapshot_the_second_is_stale_and_writes_nothing() {
        var task = created(task(1));
        var first = committed(end(task, result("first"), NOW, true));
        assertThat(store.commit(end(task, result("second"), NOW, true))).isEqualTo(new CommitResult.Stale());
        assertThat(store.find(id(1))).contains(first);
        assertThat(store.history(id(1), 0, 10)).hasSize(2);
    }

    @Test
    void an_id_is_never_created_twice() {
        var task = created(task(1));
        assertThat(store.commit(creation(task(1, BOB, null)))).isEqualTo(new CommitResult.Stale());
        assertThat(store.find(id(1))).contains(task);
    }

    @Test
    void a_creation_key_is_taken_once_by_each_owner() {
        var key = new CreationKey("k", "digest");
        created(task(1, ALICE, key));
        var again = task(2, ALICE, new CreationKey("k", "another digest"));
        assertThat(store.commit(creation(again))).isEqualTo(new CommitResult.KeyTaken(id(1)));
        assertThat(store.find(id(2))).isEmpty();
        created(task(3, BOB, key));
        assertThat(store.find(id(3)).orElseThrow().spec().creationKey()).isEqualTo(key);
    }

    @Test
    void a_task_is_found_by_its_owner_and_the_key_of_its_creation() throws Exception {
        var key = new CreationKey("ключ 🚀", "digest");
        created(task(1, ALICE, key));
        var bobs = created(task(2, BOB, key));
        created(task(3));
        var ended = committed(end(store.find(id(1)).orElseThrow(), result("x"), NOW, true));
        store = reopen(store);
        assertThat(store.findByKey(ALICE, key.value())).contains(ended);
        assertThat(store.findByKey(BOB, key.value())).contains(bobs);
        assertThat(store.findByKey(ALICE, "КЛЮЧ 🚀")).isEmpty();
        assertThat(store.findByKey(new Owner("carol"), key.value())).isEmpty();
    }

    @Test
    void a_creation_key_is_free_again_when_its_task_is_gone() {
        var key = new CreationKey("k", "digest");
        committed(end(created(task(1, ALICE, key)), result("x"), NOW, true));
        assertThat(store.sweep(NOW.plus(Duration.ofDays(2)), 10)).isEqualTo(1);
        assertThat(store.findByKey(ALICE, "k")).isEmpty();
        created(task(2, ALICE, key));
    }

    @Test
    void every_kind_of_event_comes_back_as_it_was() throws Exception {
        var text = Payload.ofText("\"päyload\"");
        var task = created(task(1));
        var happened = new EventDetail[] {
            new EventDetail.Started(3),
            new EventDetail.Progressed(new Progress(1.5, null, null)),
            new EventDetail.Progressed(new Progress(-0.0, 1e300, "half")),
            new EventDetail.Said("日本語 🚀"),
            new EventDetail.Logged("warning", null, text),
            new EventDetail.Logged("info", "log", Payload.EMPTY),
            new EventDetail.Emitted(text),
            new EventDetail.StepDone("load", text),
            new EventDetail.Asked("k"),
            new EventDetail.Answered("k"),
            new EventDetail.Crashed(2),
            new EventDetail.HandedBack(),
            new EventDetail.Ended(new Outcome.Result(text, true)),
            new EventDetail.Ended(new Outcome.Error(-32603, "no", text)),
            new EventDetail.Ended(new Outcome.Error(7, "no", null)),
            new EventDetail.Ended(new Outcome.Cancelled(null)),
            new EventDetail.Ended(new Outcome.Cancelled("why")),
            new EventDetail.Ended(new Outcome.Failed(Outcome.FailureReason.UNANSWERED, "late")),
            new EventDetail.WorkEnded()
        };
        var change = change(task, task.status(), task.execution(), null, happened);
        committed(change);
        store = reopen(store);
        assertThat(store.history(id(1), 1, 100)).isEqualTo(change.events());
    }

    @Test
    void every_kind_of_ending_comes_back_as_it_was() throws Exception {
        var data = Payload.ofText("{}");
        var outcomes = List.of(
                new Outcome.Result(data, true),
                new Outcome.Result(Payload.EMPTY, false),
                new Outcome.Error(Integer.MIN_VALUE, "no", null),
                new Outcome.Error(-32602, "no", data),
                new Outcome.Cancelled("wanted"),
                new Outcome.Failed(Outcome.FailureReason.INTERRUPTED, "restart"),
                new Outcome.Failed(Outcome.FailureReason.TIMED_OUT, "slow"));
        var ended = new ArrayList<Task>();
        for (var outcome : outcomes) {
            ended.add(committed(end(created(task(ended.size())), outcome, NOW.plusNanos(1), false)));
        }
        store = reopen(store);
        assertThat(ended).allSatisfy(task -> assertThat(store.find(task.id())).contains(task));
    }

    @Test
    void questions_and_answers_survive_a_restart() throws Exception {
        var lease = store.join("a", NOW);
        var working = committed(start(created(task(1)), lease));
        var asked = committed(question(working, "q1", Payload.ofText("{\"ask\":1}")));
        var both = committed(question(asked, "ключ 2", Payload.ofText("{\"ask\":2}")));
        var answered = committed(answer(both, "q1", Payload.ofText("yes")));
        store = reopen(store);
        assertThat(store.find(id(1))).contains(answered);
        assertThat(answered.outstanding()).hasSize(1);
    }

    @Test
    void everything_that_changes_comes_back_as_it_was() throws Exception {
        var task = created(task(1));
        var status = new TaskStatus(
                TaskState.WORKING,
                "mid 🚀",
                new Progress(0.1, 0.3, null),
                List.of(),
                null,
                Retention.fromCompletion(Duration.ofNanos(5)));
        var execution = new Execution(null, new Attempts(4, 2, 1, NOW), Payload.ofText("pid 7"));
        var changed = committed(change(task, status, execution, null));
        store = reopen(store);
        assertThat(store.find(id(1))).contains(changed);
    }

    @Test
    void payloads_of_five_mebibytes_come_back_whole() throws Exception {
        var request = big(1);
        var task = created(task(1, new TaskSpec(ALICE, "w", request, big(2), null, NOW)));
        var asked = committed(question(task, "q", big(3)));
        var answered = committed(answer(asked, "q", big(4)));
        var execution = new Execution(null, Attempts.NONE, big(5));
        var handled = committed(change(
                answered,
                answered.status(),
                execution,
                null,
                new EventDetail.Emitted(big(6)),
                new EventDetail.StepDone("s", big(7))));
        var rehandled = committed(change(handled, handled.status(), new Execution(null, Attempts.NONE, big(8)), null));
        var ended = committed(end(rehandled, new Outcome.Result(big(9), false), NOW, true));
        store = reopen(store);
        assertThat(store.find(id(1))).contains(ended);
        assertThat(store.list(TaskFilter.of(ALICE), null, 1).tasks()).containsExactly(ended);
        var events = history();
        assertThat(events.getLast().what()).isEqualTo(new EventDetail.Ended(new Outcome.Result(big(9), false)));
        assertThat(events).hasSize((int) ended.position().lastEvent());
    }

    @Test
    void a_page_of_history_ends_with_the_event_that_fills_it_and_the_next_page_goes_on() {
        var task = created(task(1));
        var pieces = new ArrayList<EventDetail>();
        for (var i = 0; i < 40; i++) {
            var size = i % 10 == 0 ? 3 * TaskStore.PAGE_BYTES : TaskStore.PAGE_BYTES / 8;
            pieces.add(new EventDetail.Emitted(Payload.of(new byte[size])));
        }
        for (EventDetail piece : pieces) {
            task = committed(change(task, task.status(), task.execution(), null, piece));
        }
        long after = 0;
        var pages = 0;
        for (var page = store.history(id(1), after, 100); !page.isEmpty(); page = store.history(id(1), after, 100)) {
            assertThat(page.stream()
                            .limit(page.size() - 1)
                            .mapToInt(event -> event.what().bytes())
                            .sum())
                    .as("bytes in front of the last event of a page")
                    .isLessThan(TaskStore.PAGE_BYTES);
            after = page.getLast().seq();
            pages++;
        }
        assertThat(pages).isBetween(5, 12);
        assertThat(history()).extracting(TaskEvent::what).endsWith(pieces.toArray(EventDetail[]::new));
    }

    @Test
    void a_task_is_read_with_the_last_events_of_its_output_and_its_log() {
        var line = new EventDetail.Logged("info", null, Payload.ofText("1"));
        var piece = new EventDetail.Emitted(Payload.ofText("2"));
        var task = created(task(1));
        task = committed(change(task, task.status(), task.execution(), null, line, piece, line));
        task = committed(progress(task, 1));
        assertThat(task.position().lastOutput()).isEqualTo(3);
        assertThat(task.position().lastLog()).isEqualTo(4);
        assertThat(store.find(id(1))).contains(task);
    }

    private List<TaskEvent> history() {
        var events = new ArrayList<TaskEvent>();
        for (var page = store.history(id(1), 0, 100);
                !page.isEmpty();
                page = store.history(id(1), events.getLast().seq(), 100)) {
            events.addAll(page);
        }
        return events;
    }

    @Test
    void history_is_read_by_cursor_without_gaps() {
        var lease = store.join("a", NOW);
        var task = committed(start(created(task(1)), lease));
        for (var i = 0; i < 50; i++) {
            task = committed(progress(task, i));
        }
        var seen = new ArrayList<Long>();
        for (var page = store.history(id(1), 0, 7); !page.isEmpty(); page = store.history(id(1), seen.getLast(), 7)) {
            page.forEach(event -> seen.add(event.seq()));
        }
        assertThat(seen)
                .hasSize(52)
                .isSorted()
                .doesNotHaveDuplicates()
                .startsWith(1L)
                .endsWith(52L);
        assertThat(store.history(id(1), 0, 0)).isEmpty();
    }

    @Test
    void tasks_are_found_by_their_route_and_by_its_group_in_the_order_of_their_ids() {
        created(routed(5, ALICE, "s1", "a"));
        created(routed(2, ALICE, "s1", "b"));
        created(routed(3, ALICE, "s1", "a"));
        created(routed(4, ALICE, "s10", "a"));
        created(routed(6, ALICE, "s", "1/a"));
        created(routed(7, BOB, "s1", "a"));
        created(task(8));
        var route = new Route("s1", "a");
        var group = new Route("s1", null);
        assertThat(store.routed(ALICE, route, null, 9)).extracting(Task::id).containsExactly(id(3), id(5));
        assertThat(store.routed(ALICE, route, id(3), 9)).extracting(Task::id).containsExactly(id(5));
        var first = store.routed(ALICE, group, null, 2);
        assertThat(first).extracting(Task::id).containsExactly(id(2), id(3));
        assertThat(first.getLast().spec().source().route()).isEqualTo(route);
        assertThat(store.routed(ALICE, group, id(3), 2)).extracting(Task::id).containsExactly(id(5));
        assertThat(store.routed(ALICE, new Route("s", "1/a"), null, 9))
                .extracting(Task::id)
                .containsExactly(id(6));
        assertThat(store.routed(ALICE, new Route("s2", null), null, 9)).isEmpty();
        assertThat(store.routed(ALICE, group, null, 0)).isEmpty();
    }

    private static Task routed(long number, Owner owner, String group, String member) {
        var source = new Source(Payload.EMPTY, new Route(group, member));
        return task(number, new TaskSpec(owner, "w", Payload.ofText("{}"), source, null, NOW));
    }

    @Test
    void sixty_four_threads_commit_at_once_and_all_of_it_is_there() throws Exception {
        var lease = store.join("a", NOW);
        all(64, thread -> {
            for (var i = 0; i < 10; i++) {
                var task = committed(start(created(task(thread * 100L + i)), lease));
                committed(end(committed(progress(task, i)), result("r" + i), NOW, true));
            }
        });
        store = reopen(store);
        assertThat(store.list(TaskFilter.of(ALICE), null, 1_000).tasks())
                .hasSize(640)
                .allSatisfy(task -> {
                    assertThat(task.state()).isEqualTo(TaskState.COMPLETED);
                    assertThat(store.history(task.id(), 0, 10)).hasSize(4);
                });
    }

    @Test
    void of_many_changes_of_one_snapshot_exactly_one_wins() throws Exception {
        var task = created(task(1));
        var won = new AtomicInteger();
        all(64, thread -> {
            var answer = store.commit(end(task, result("by " + thread), NOW, true));
            if (answer instanceof CommitResult.Committed) {
                won.incrementAndGet();
            }
        });
        assertThat(won).hasValue(1);
        assertThat(store.history(id(1), 0, 10)).hasSize(2);
    }

    @Test
    void of_many_creations_with_one_key_exactly_one_wins() throws Exception {
        all(64, thread -> store.commit(creation(task(thread, ALICE, new CreationKey("k", "d")))));
        assertThat(store.list(TaskFilter.of(ALICE), null, 100).tasks()).hasSize(1);
    }

    @Test
    void an_interrupted_thread_learns_what_became_of_its_commit_and_stays_interrupted() {
        Thread.currentThread().interrupt();
        var answer = store.commit(creation(task(1)));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(answer).isEqualTo(new CommitResult.Committed());
        assertThat(store.find(id(1))).isPresent();
    }

    @Test
    void a_closed_store_says_so() {
        store.close();
        store.close();
        assertThatThrownBy(() -> store.find(id(1)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> store.commit(creation(task(1)))).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.join("a", NOW)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.rows().remove("a", "b")).isInstanceOf(StoreException.class);
    }

    /** The action of one of many threads. */
    private interface Part {
        void run(int thread) throws Exception;
    }

    /** Runs {@code part} on {@code threads} virtual threads at once, and fails if one fails. */
    private static void all(int threads, Part part) throws Exception {
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var parts = IntStream.range(0, threads)
                    .<Callable<@Nullable Void>>mapToObj(thread -> () -> {
                        part.run(thread);
                        return null;
                    })
                    .toList();
            for (var done : executor.invokeAll(parts)) {
                done.get();
            }
        }
    }

    private static Payload big(int seed) {
        var bytes = new byte[5 << 20];
        new Random(seed).nextBytes(bytes);
        return Payload.of(bytes);
    }
}
