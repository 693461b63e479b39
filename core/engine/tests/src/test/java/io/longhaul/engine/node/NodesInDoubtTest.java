// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.node;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.NEVER;
import static io.longhaul.engine.TestEngine.creation;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskWatcher;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Task;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.MemoryTaskStore;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node whose connection to the shared store breaks before the store can say what it has done. */
@Timeout(60)
class NodesInDoubtTest {

    private static final int MANY = 100;

    private final FakeTime time = new FakeTime();
    private final MemoryTaskStore store = MemoryTaskStore.shared(time);
    private final FaultyTaskStore link = new FaultyTaskStore(store, 0);
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final CountDownLatch go = new CountDownLatch(1);

    @AutoClose
    private final TaskEngine one = node("one", store);

    @AutoClose
    private final TaskEngine other = node("other", link);

    private TaskEngine node(String name, TaskStore seen) {
        return DurableEngine.builder()
                .store(seen)
                .time(time)
                .node(name)
                .work(work("wait", CrashPolicy.RESTART, run -> {
                    told.add("run by " + name);
                    go.await();
                    return result("done by " + name);
                }))
                .start();
    }

    private static Task create(TaskEngine node) {
        return ((TaskEngine.Created.New) node.create(creation("wait"))).task();
    }

    private String next() throws InterruptedException {
        while (true) {
            var said = told.poll(1, TimeUnit.MILLISECONDS);
            if (said != null) {
                return said;
            }
            TestEngine.pass(time);
        }
    }

    private static Task ended(TaskEngine node, Task task) throws InterruptedException {
        var now = node.find(ANN, task.id()).orElseThrow();
        while (!now.hasEndedWork()) {
            now = node.awaitChange(ANN, task.id(), now.position().version(), NEVER)
                    .orElseThrow();
        }
        return now;
    }

    @Test
    void a_task_of_a_claim_that_the_store_did_not_confirm_is_run_by_the_node_that_claimed_it() throws Exception {
        var task = create(one);
        assertThat(next()).isEqualTo("run by one");
        link.nextClaimsFailAfter(1);
        one.close();
        assertThat(next()).isEqualTo("run by other");
        go.countDown();
        assertThat(outcome(ended(other, task))).isEqualTo(result("done by other"));
    }

    @Test
    void a_node_whose_join_the_store_did_not_confirm_joins_again_and_is_not_taken_for_another_process()
            throws Exception {
        var lost = create(other);
        assertThat(next()).isEqualTo("run by other");
        link.breakDown();
        assertThat(next()).as("the node of %s is taken for dead", lost.id()).isEqualTo("run by one");
        link.nextJoinsFailAfter(1);
        link.repair();
        Task task = null;
        for (int step = 0; step < MANY && task == null; step++) {
            try {
                task = create(other);
            } catch (StoreException e) {
                TestEngine.pass(time);
            }
        }
        assertThat(task).isNotNull();
        assertThat(next()).isEqualTo("run by other");
    }

    @Test
    void a_watcher_at_a_node_that_did_not_see_a_task_end_is_told_that_the_task_was_removed() throws Exception {
        var task = create(one);
        assertThat(next()).isEqualTo("run by one");
        assertThat(other.watch(ANN, task.id(), new TaskWatcher() {
                    @Override
                    public void changed(Task now, List<TaskEvent> events) {
                        told.add(now.state().toString());
                    }

                    @Override
                    public void removed() {
                        told.add("removed");
                    }
                }))
                .isPresent();
        link.breakDown();
        go.countDown();
        ended(one, task);
        assertThat(one.delete(ANN, task.id())).isInstanceOf(TaskEngine.Deleted.Done.class);
        told.clear();
        link.repair();
        assertThat(next()).isEqualTo("removed");
    }
}
