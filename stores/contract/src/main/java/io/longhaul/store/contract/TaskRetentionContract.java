// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.contract;

import static io.longhaul.store.contract.TaskFixtures.ALICE;
import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.end;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.result;
import static io.longhaul.store.contract.TaskFixtures.retained;
import static io.longhaul.store.contract.TaskFixtures.start;
import static io.longhaul.store.contract.TaskFixtures.task;
import static io.longhaul.store.contract.TaskFixtures.workEnded;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.store.WrittenOutput;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskStatus;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contract of every {@link TaskStore} for the retention and the removal of tasks. */
abstract class TaskRetentionContract extends StoreContract {

    TaskRetentionContract(TaskStoreContract stores) {
        super(stores);
    }

    @Test
    void sweep_removes_a_finished_task_with_its_history_when_its_retention_is_over() {
        var ended = committed(end(created(task(1)), result("x"), NOW, true));
        var over = NOW.plus(Duration.ofDays(1));
        assertThat(store.sweep(over.minusNanos(1), 10)).isZero();
        assertThat(store.find(id(1))).contains(ended);
        assertThat(store.sweep(over, 10)).isEqualTo(1);
        assertThat(store.find(id(1))).isEmpty();
        assertThat(store.history(id(1), 0, 10)).isEmpty();
        assertThat(store.list(TaskFilter.of(ALICE), null, 10).tasks()).isEmpty();
        assertThat(store.commit(workEnded(ended))).isEqualTo(new CommitResult.Missing());
    }

    @Test
    void sweep_never_removes_what_runs_or_whose_work_has_not_ended() {
        created(task(1));
        committed(start(created(task(2)), store.join("a", NOW)));
        var stopping = committed(end(created(task(3)), result("x"), NOW, false));
        var late = NOW.plus(Duration.ofDays(1_000));
        assertThat(store.sweep(late, 10)).isZero();
        committed(workEnded(stopping));
        assertThat(store.sweep(late, 10)).isEqualTo(1);
    }

    @Test
    void sweep_keeps_a_finished_task_after_its_end_for_as_long_as_its_retention_says_at_least() throws Exception {
        var retention = Retention.fromCreation(Duration.ZERO).atLeast(Duration.ofMinutes(2));
        var ended = committed(end(kept(1, retention), result("x"), NOW, true));
        store = reopen(store);
        assertThat(store.find(id(1))).contains(ended);
        var earliest = NOW.plus(Duration.ofMinutes(2));
        assertThat(store.sweep(earliest.minusNanos(1), 10)).isZero();
        assertThat(store.sweep(earliest, 10)).isEqualTo(1);
    }

    @Test
    void what_work_has_written_is_removed_with_its_task() {
        for (var i = 1; i <= 3; i++) {
            committed(end(created(task(i)), result("x"), NOW, true));
            new WrittenOutput(store.rows(), id(i)).write(NOW, "line " + i, "mark", 100);
        }
        assertThat(store.remove(id(1))).isTrue();
        assertThat(written(1)).isEmpty();
        assertThat(written(2)).containsExactly("line 2");
        store.sweep(NOW.plus(Duration.ofDays(1)), 1);
        assertThat(Stream.of(written(2), written(3)).flatMap(List::stream)).hasSize(1);
        store.sweep(NOW.plus(Duration.ofDays(1)), 1);
        assertThat(Stream.of(written(2), written(3)).flatMap(List::stream)).isEmpty();
    }

    private List<String> written(int task) {
        return new WrittenOutput(store.rows(), id(task))
                .read(0, 100).stream().map(WrittenOutput.Piece::text).toList();
    }

    @Test
    void sweep_counts_from_the_end_where_the_retention_says_so() {
        var end = NOW.plus(Duration.ofDays(3));
        committed(end(kept(1, Retention.fromCompletion(Duration.ofDays(1))), result("x"), end, true));
        assertThat(store.sweep(end.plus(Duration.ofDays(1)).minusNanos(1), 10)).isZero();
        assertThat(store.sweep(end.plus(Duration.ofDays(1)), 10)).isEqualTo(1);
    }

    @Test
    void sweep_removes_no_more_than_it_is_asked_to() {
        for (var i = 0; i < 5; i++) {
            committed(end(created(task(i)), result("x"), NOW, true));
        }
        var late = NOW.plus(Duration.ofDays(9));
        assertThat(store.sweep(late, 3)).isEqualTo(3);
        assertThat(store.sweep(late, 3)).isEqualTo(2);
        assertThat(store.sweep(late, 3)).isZero();
    }

    @Test
    void sweep_leaves_alone_what_somebody_attends_to() throws Exception {
        var attended = kept(1, Retention.fromLeaving(Duration.ZERO));
        var ended = committed(end(attended, result("x"), NOW, true));
        store = reopen(store);
        assertThat(store.find(id(1))).contains(ended);
        assertThat(store.sweep(NOW.plus(Duration.ofDays(1_000)), 10)).isZero();
        committed(retained(ended, Retention.fromCreation(Duration.ofDays(2))));
        assertThat(store.sweep(NOW.plus(Duration.ofDays(2)).minusNanos(1), 10)).isZero();
        assertThat(store.sweep(NOW.plus(Duration.ofDays(2)), 10)).isEqualTo(1);
    }

    @Test
    void another_retention_counts_whenever_it_is_given() throws Exception {
        var longer = committed(retained(created(task(1)), Retention.fromCreation(Duration.ofDays(3))));
        committed(end(longer, result("x"), NOW, true));
        var ended = committed(end(created(task(2)), result("x"), NOW, true));
        var attended = committed(retained(ended, Retention.fromLeaving(Duration.ofDays(1))));
        store = reopen(store);
        assertThat(store.find(id(2))).contains(attended);
        assertThat(store.sweep(NOW.plus(Duration.ofDays(2)), 10)).isZero();
        assertThat(store.sweep(NOW.plus(Duration.ofDays(3)), 10)).isEqualTo(1);
        assertThat(store.list(TaskFilter.of(ALICE), null, 10).tasks()).containsExactly(attended);
    }

    @Test
    void remove_takes_a_finished_task_with_its_history_and_frees_its_key() throws Exception {
        var key = new CreationKey("k", "digest");
        var big = new Outcome.Result(Payload.of(new byte[5_000]), false);
        var ended = committed(end(created(task(1, ALICE, key)), big, NOW, true));
        var other = committed(end(created(task(2)), big, NOW, true));
        assertThat(store.remove(id(1))).isTrue();
        assertThat(store.remove(id(1))).isFalse();
        store = reopen(store);
        assertThat(store.find(id(1))).isEmpty();
        assertThat(store.findByKey(ALICE, "k")).isEmpty();
        assertThat(store.history(id(1), 0, 10)).isEmpty();
        assertThat(store.list(TaskFilter.of(ALICE), null, 10).tasks()).containsExactly(other);
        assertThat(store.history(id(2), 0, 10)).hasSize(2);
        assertThat(store.commit(retained(ended, Retention.fromCreation(Duration.ofDays(9)))))
                .isEqualTo(new CommitResult.Missing());
        created(task(3, ALICE, key));
    }

    @Test
    void remove_never_takes_what_runs_or_whose_work_has_not_ended() {
        created(task(1));
        var stopping = committed(end(created(task(2)), result("x"), NOW, false));
        assertThat(store.remove(id(1))).isFalse();
        assertThat(store.remove(id(2))).isFalse();
        assertThat(store.remove(id(3))).isFalse();
        assertThat(store.list(TaskFilter.of(ALICE), null, 10).tasks()).hasSize(2);
        assertThat(store.history(id(2), 0, 10)).hasSize(2);
        committed(workEnded(stopping));
        assertThat(store.remove(id(2))).isTrue();
    }

    private Task kept(long number, Retention retention) {
        var task = task(number);
        var status = new TaskStatus(task.state(), null, null, List.of(), null, retention);
        return created(new Task(task.id(), task.spec(), status, task.execution(), task.position()));
    }
}
