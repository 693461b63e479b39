// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.creation;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskEngine.Deleted;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.FaultyTaskStore.Fault;
import io.longhaul.fakes.MemoryTaskStore;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class DeletingTest {
    private static final CreationKey KEY = new CreationKey("k", "digest");

    private final CountDownLatch stopped = new CountDownLatch(1);

    /** Work that listens to no interrupt, and ends when it is told to. */
    private final Backend stubborn = run -> {
        while (true) {
            try {
                stopped.await();
                return result("late");
            } catch (InterruptedException e) {
                // work that does not listen
            }
        }
    };

    private static Task keyed(TestEngine site, CreationKey key) {
        return ((Created.New) site.engine.create(creation("w", key, null))).task();
    }

    @Test
    void a_deleted_task_is_gone_at_once_and_after_a_restart_and_its_key_is_free() throws Exception {
        var site = new TestEngine(work("w", run -> result("done")));
        var task = site.awaitStopped(keyed(site, KEY));
        assertThat(site.engine.delete(ANN, task.id())).isEqualTo(new Deleted.Done());
        assertThat(site.engine.delete(ANN, task.id())).isEqualTo(new Deleted.NotFound());
        site.close();
        try (var next = site.crash(work("w", run -> result("second")))) {
            assertThat(next.engine.find(ANN, task.id())).isEmpty();
            assertThat(next.engine.find(ANN, KEY.value())).isEmpty();
            assertThat(next.engine.list(TaskFilter.of(ANN), null, 10).tasks()).isEmpty();
            assertThat(next.history(task)).isEmpty();
            var second = keyed(next, new CreationKey("k", "another digest"));
            assertThat(second.id()).isNotEqualTo(task.id());
        }
    }

    @Test
    void a_live_task_is_not_deleted_nor_is_one_whose_work_is_still_stopping() throws Exception {
        try (var site = new TestEngine(work("w", stubborn))) {
            var task = site.create("w");
            assertThat(site.engine.delete(ANN, task.id())).isEqualTo(new Deleted.StillLive(task));
            site.engine.cancel(ANN, task.id(), null);
            assertThat(site.engine.delete(ANN, task.id())).isEqualTo(new Deleted.StillLive(site.find(task)));
            stopped.countDown();
            site.awaitStopped(task);
            assertThat(site.engine.delete(ANN, task.id())).isEqualTo(new Deleted.Done());
        }
    }

    @Test
    void another_owner_deletes_nothing() throws Exception {
        try (var site = new TestEngine(work("w", run -> result("")))) {
            var task = site.awaitStopped(site.create("w"));
            assertThat(site.engine.delete(new Owner("bob"), task.id())).isEqualTo(new Deleted.NotFound());
            assertThat(site.find(task)).isEqualTo(task);
        }
    }

    @Test
    void a_watcher_learns_that_the_task_is_gone() throws Exception {
        try (var site = new TestEngine(work("w", stubborn))) {
            var task = site.create("w");
            var seen = TestEngine.inBackground(() -> {
                var now = Optional.of(task);
                while (now.isPresent()) {
                    now = site.engine.awaitChange(
                            ANN, task.id(), now.get().position().version(), TestEngine.NEVER);
                }
                return now;
            });
            site.time.awaitAlarms(2);
            stopped.countDown();
            site.awaitStopped(task);
            assertThat(site.engine.delete(ANN, task.id())).isEqualTo(new Deleted.Done());
            assertThat(seen.get()).isEmpty();
        }
    }

    @Test
    void a_delete_that_was_done_but_not_said_is_found_done_when_asked_again() throws Exception {
        var store = new MemoryTaskStore();
        var faulty = new FaultyTaskStore(store, 1);
        try (var site =
                new TestEngine(new FakeTime(), store, faulty, TestEngine.LIMITS, work("w", run -> result("")))) {
            var task = site.awaitStopped(site.create("w"));
            faulty.next(Fault.FAIL_BEFORE, Fault.FAIL_AFTER);
            assertThatThrownBy(() -> site.engine.delete(ANN, task.id())).isInstanceOf(StoreException.class);
            assertThat(site.find(task)).isEqualTo(task);
            assertThatThrownBy(() -> site.engine.delete(ANN, task.id())).isInstanceOf(StoreException.class);
            assertThat(site.engine.delete(ANN, task.id())).isEqualTo(new Deleted.NotFound());
        }
    }
}
