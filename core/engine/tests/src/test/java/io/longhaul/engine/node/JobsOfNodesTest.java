// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.node;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.LIMITS;
import static io.longhaul.engine.TestEngine.NEVER;
import static io.longhaul.engine.TestEngine.creation;
import static io.longhaul.engine.TestEngine.outcome;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs outside of the server, of several nodes over one store, that any of the nodes finds again. */
@Timeout(60)
class JobsOfNodesTest {

    private static final Duration TWO_TERMS = Duration.ofSeconds(30);

    private final FakeTime time = new FakeTime();
    private final MemoryTaskStore store = MemoryTaskStore.shared(time);
    private final FaultyTaskStore link = new FaultyTaskStore(store, 0);
    private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
    private final BlockingQueue<Boolean> handedBack = new LinkedBlockingQueue<>();
    private final CountDownLatch go = new CountDownLatch(1);
    private final List<TaskEngine> all = new ArrayList<>();

    /** A job that was started once, and is followed by whoever has its id. */
    private final class FoundAnywhere implements Backend {
        private final String node;

        FoundAnywhere(String node) {
            this.node = node;
        }

        @Override
        public Outcome run(Run run) throws InterruptedException {
            var job = run.handle().map(Payload::text).orElse("job of " + node);
            run.saveHandle(text(job));
            begun.add(job + " at " + node);
            try {
                go.await();
            } catch (InterruptedException e) {
                handedBack.add(run.isHandingBack());
                throw e;
            }
            return result(job + " by " + node);
        }

        @Override
        public boolean isBoundToNode() {
            return false;
        }
    }

    private final TaskEngine one = node("one");
    private final TaskEngine other = node("other");
    private final Task task = ((TaskEngine.Created.New) one.create(creation("job"))).task();

    private TaskEngine node(String name) {
        var node = DurableEngine.builder()
                .store(name.equals("one") ? link : store)
                .time(time)
                .limits(LIMITS)
                .node(name)
                .work(new Work("job", new FoundAnywhere(name), CrashPolicy.REATTACH, null, 10))
                .start();
        all.add(node);
        return node;
    }

    @AfterEach
    void close() {
        go.countDown();
        all.forEach(TaskEngine::close);
    }

    private String nextBegun() throws InterruptedException {
        return next(begun);
    }

    private <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        while (true) {
            var said = queue.poll(1, TimeUnit.MILLISECONDS);
            if (said != null) {
                return said;
            }
            TestEngine.pass(time);
        }
    }

    private Outcome end() throws InterruptedException {
        go.countDown();
        var now = other.find(ANN, task.id()).orElseThrow();
        while (!now.state().isTerminal()) {
            now = other.awaitChange(ANN, task.id(), now.position().version(), NEVER)
                    .orElseThrow();
        }
        return outcome(now);
    }

    @Test
    void a_job_goes_on_at_another_node_when_its_own_ends_in_good_order() throws Exception {
        assertThat(nextBegun()).isEqualTo("job of one at one");
        Instant closed = time.now();
        one.close();
        assertThat(nextBegun()).isEqualTo("job of one at other");
        assertThat(time.now()).isBefore(closed.plus(TWO_TERMS));
        assertThat(end()).isEqualTo(result("job of one by other"));
    }

    @Test
    void a_job_goes_on_at_another_node_when_the_lease_of_its_own_has_lapsed() throws Exception {
        assertThat(nextBegun()).isEqualTo("job of one at one");
        // A lease is taken from another node only by one that has had its own for a whole term.
        time.advance(TWO_TERMS);
        Instant gone = time.now();
        link.breakDown();
        assertThat(nextBegun()).isEqualTo("job of one at other");
        assertThat(time.now()).isBefore(gone.plus(TWO_TERMS));
        assertThat(end()).isEqualTo(result("job of one by other"));
    }

    @Test
    void a_run_that_has_lost_its_job_to_another_node_knows_that_the_task_goes_on() throws Exception {
        assertThat(nextBegun()).isEqualTo("job of one at one");
        link.breakDown();
        assertThat(nextBegun()).isEqualTo("job of one at other");
        link.repair();
        assertThat(next(handedBack)).isTrue();
    }
}
