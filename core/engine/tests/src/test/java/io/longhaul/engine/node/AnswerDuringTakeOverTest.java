// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.node;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.creation;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TestEngine;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.SharedTasks;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Task;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client answers a question at the node that is about to run the task of the question. */
@Timeout(60)
class AnswerDuringTakeOverTest {

    private final FakeTime time = new FakeTime();
    private final MemoryTaskStore store = MemoryTaskStore.shared(time);

    private final BlockingQueue<String> answered = new LinkedBlockingQueue<>();

    /** Runs once, when a node has claimed tasks in the store and does not have them in memory yet. */
    private final AtomicReference<Runnable> claimed = new AtomicReference<>(() -> {});

    private final class ClaimedStore extends ForwardingStore {

        ClaimedStore() {
            super(store);
        }

        @Override
        public Optional<SharedTasks> sharedTasks() {
            return super.sharedTasks().map(real -> (SharedTasks) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {SharedTasks.class}, (self, method, values) -> {
                        var result = method.invoke(real, values);
                        if (result instanceof List<?> tasks && !tasks.isEmpty()) {
                            claimed.getAndSet(() -> {}).run();
                        }
                        return result;
                    }));
        }
    }

    private TaskEngine node(String name, TaskStore seen) {
        return DurableEngine.builder()
                .store(seen)
                .time(time)
                .limits(TestEngine.LIMITS)
                .node(name)
                .works(List.of(asks(name)))
                .start();
    }

    private Work asks(String node) {
        return work("ask", CrashPolicy.RESTART, run -> {
            var answer = run.ask("q", "ask", text("?"), Duration.ofDays(1)).text();
            answered.add(answer + " at " + node);
            return result(answer);
        });
    }

    private Task awaitQuestion(TaskEngine node, Task task) {
        var now = node.find(ANN, task.id()).orElseThrow();
        while (now.outstanding().isEmpty()) {
            TestEngine.pass(time);
            now = node.find(ANN, task.id()).orElseThrow();
        }
        return now;
    }

    @Test
    void the_answer_reaches_the_work_though_nobody_looks_at_the_task() throws Exception {
        try (var two = node("two", new ClaimedStore())) {
            try (var one = node("one", store)) {
                var task = ((TaskEngine.Created.New) one.create(creation("ask"))).task();
                var question = awaitQuestion(one, task).outstanding().getFirst();
                claimed.set(() -> two.answer(ANN, task.id(), Map.of(question.key(), text("yes"))));
            }
            String seen = null;
            while (seen == null) {
                TestEngine.pass(time);
                seen = answered.poll(1, TimeUnit.MILLISECONDS);
            }
            assertThat(seen).isEqualTo("yes at two");
        }
    }
}
