// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.contract;

import static io.longhaul.store.contract.TaskFixtures.NOW;
import static io.longhaul.store.contract.TaskFixtures.creation;
import static io.longhaul.store.contract.TaskFixtures.end;
import static io.longhaul.store.contract.TaskFixtures.id;
import static io.longhaul.store.contract.TaskFixtures.result;
import static io.longhaul.store.contract.TaskFixtures.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.Payload;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.FaultyTaskStore.Fault;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** A call that waits for ever does not end by an interrupt, and so has a thread of its own. */
@Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
final class FaultyTaskStoreTest {
    private final FaultyTaskStore store = new FaultyTaskStore(new MemoryTaskStore(), 7);

    @Test
    void faults_are_met_one_after_another() {
        store.next(Fault.NONE, Fault.FAIL_BEFORE, Fault.STALE, Fault.FAIL_AFTER);
        store.commit(creation(task(1)));
        var end = end(task(1), result("x"), NOW, true);
        assertThatThrownBy(() -> store.commit(end)).isInstanceOf(StoreException.class);
        assertThat(store.find(id(1))).contains(task(1));
        assertThat(store.commit(end)).isEqualTo(new CommitResult.Stale());
        assertThatThrownBy(() -> store.commit(end)).isInstanceOf(StoreException.class);
        assertThat(store.find(id(1))).contains(end.after());
    }

    @Test
    void chance_is_the_same_for_the_same_seed() {
        assertThat(failuresOf(3)).isEqualTo(failuresOf(3)).contains("x", ".");
        assertThat(failuresOf(3)).isNotEqualTo(failuresOf(4));
    }

    @Test
    void held_commits_wait_until_they_are_released() throws Exception {
        store.hold();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var commit = threads.submit(() -> store.commit(creation(task(1))));
            store.awaitHeld(1);
            assertThat(store.find(id(1))).isEmpty();
            store.release();
            assertThat(commit.get()).isEqualTo(new CommitResult.Committed());
        }
    }

    @Test
    void a_store_that_is_held_twice_releases_all_commits() throws Exception {
        store.hold();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> store.commit(creation(task(1))));
            store.awaitHeld(1);
            store.hold();
            var second = threads.submit(() -> store.commit(creation(task(2))));
            store.awaitHeld(2);
            store.release();
            assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(new CommitResult.Committed());
            assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo(new CommitResult.Committed());
        }
    }

    @Test
    void a_full_store_takes_nothing_and_is_read_on() {
        store.commit(creation(task(1)));
        var row = new RowStore.StoredRow("a", "b", Payload.EMPTY, null);
        store.rows().put(row);
        store.fill();
        assertThatThrownBy(() -> store.commit(creation(task(2)))).isInstanceOf(StoreFullException.class);
        assertThatThrownBy(() -> store.remove(id(1))).isInstanceOf(StoreFullException.class);
        assertThatThrownBy(() -> store.rows().remove("a", "b")).isInstanceOf(StoreFullException.class);
        assertThat(store.find(id(1))).isPresent();
        assertThat(store.rows().get("a", "b", NOW)).contains(row);
        store.free();
        store.commit(creation(task(2)));
        assertThat(store.find(id(2))).isPresent();
    }

    @Test
    void a_broken_store_does_nothing_until_it_is_repaired() {
        store.commit(creation(task(1)));
        store.breakDown();
        assertThatThrownBy(() -> store.find(id(1))).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.commit(creation(task(2)))).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.join("a", NOW)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.rows().get("a", "b", NOW)).isInstanceOf(StoreException.class);
        store.repair();
        assertThat(store.find(id(1))).isPresent();
        assertThat(store.find(id(2))).isEmpty();
    }

    @Test
    void as_many_looks_fail_as_the_test_says() {
        store.commit(creation(task(1)));
        store.nextLooksFail(2);
        assertThatThrownBy(() -> store.find(id(1))).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.list(TaskFilter.ALL, null, 1)).isInstanceOf(StoreException.class);
        assertThat(store.find(id(1))).isPresent();
    }

    @Test
    void a_call_of_a_slow_store_takes_its_time() throws Exception {
        var time = new FakeTime();
        store.slow(time, Duration.ofSeconds(5));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var look = threads.submit(() -> store.find(id(1)));
            time.awaitAlarmIn(Duration.ofSeconds(5));
            assertThat(look.isDone()).isFalse();
            time.advance(Duration.ofSeconds(5));
            assertThat(look.get()).isEmpty();
            var given = threads.submit(() -> store.find(id(1)));
            time.awaitAlarmIn(Duration.ofSeconds(5));
            store.slow(time, Duration.ZERO);
            assertThat(given.get()).isEmpty();
        }
        assertThat(store.find(id(1))).isEmpty();
    }

    @Test
    void a_call_counts_as_waiting_only_when_its_time_can_end_it() throws Exception {
        var time = new FakeTime();
        var waitingBefore = new CompletableFuture<Integer>();
        store.slow(
                timeThatDoesBeforeAnAlarm(time, () -> waitingBefore.complete(store.waiting())), Duration.ofSeconds(5));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var look = threads.submit(() -> store.find(id(1)));
            assertThat(waitingBefore.get()).isZero();
            time.awaitAlarmIn(Duration.ofSeconds(5));
            time.advance(Duration.ofSeconds(5));
            assertThat(look.get()).isEmpty();
        }
    }

    @Test
    void a_call_that_comes_while_delays_end_waits_for_nothing() {
        var time = new FakeTime();
        store.slow(timeThatDoesBeforeAnAlarm(time, () -> store.slow(time, Duration.ZERO)), Duration.ofSeconds(5));
        assertThat(store.find(id(1))).isEmpty();
        assertThat(time.alarms()).isZero();
    }

    @Test
    void rows_of_a_slow_store_take_no_time() {
        store.slow(new FakeTime(), Duration.ofSeconds(5));
        var row = new RowStore.StoredRow("a", "b", Payload.EMPTY, null);
        store.rows().put(row);
        assertThat(store.rows().get("a", "b", NOW)).contains(row);
    }

    private static TaskTime timeThatDoesBeforeAnAlarm(TaskTime time, Runnable action) {
        return new TaskTime() {
            @Override
            public Instant now() {
                return time.now();
            }

            @Override
            public Alarm at(Instant when, Runnable alarm) {
                action.run();
                return time.at(when, alarm);
            }
        };
    }

    private static String failuresOf(long seed) {
        var faulty = new FaultyTaskStore(new MemoryTaskStore(), seed);
        faulty.chance(Fault.FAIL_BEFORE, 0.3);
        var seen = new StringBuilder();
        for (var i = 0; i < 40; i++) {
            try {
                faulty.commit(creation(task(i)));
                seen.append('.');
            } catch (StoreException e) {
                seen.append('x');
            }
        }
        return seen.toString();
    }
}
