// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.lease;

import static io.longhaul.engine.TestEngine.ANN;
import static io.longhaul.engine.TestEngine.LIMITS;
import static io.longhaul.engine.TestEngine.creation;
import static io.longhaul.engine.TestEngine.result;
import static io.longhaul.engine.TestEngine.text;
import static io.longhaul.engine.TestEngine.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.TestEngine;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Task;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that was paused past its lease, and goes on while another server has its tasks. */
class TakenOverTest {

    private static final Duration DAY = Duration.ofDays(1);

    private final FakeTime time = new FakeTime();
    private final MemoryTaskStore store = new MemoryTaskStore();
    private final Queue<String> begun = new ConcurrentLinkedQueue<>();
    private final TestEngine old = site("old");
    private final Task task = old.create("asks");
    private TestEngine taker = old;

    private TestEngine site(String name) {
        return new TestEngine(time, store, LIMITS, asking(name));
    }

    private Work asking(String server) {
        return work("asks", CrashPolicy.REATTACH, run -> {
            begun.add(server + " " + run.attempt());
            return result(run.ask(null, "ask", text("?"), DAY).text());
        });
    }

    @AfterEach
    void close() {
        taker.close();
        old.close();
    }

    @Test
    void an_old_server_creates_no_task_that_nobody_would_run() {
        taker = site("taker");
        assertThatThrownBy(() -> old.engine.create(creation("asks"))).isInstanceOf(StoreException.class);
        assertThat(store.list(TaskFilter.ALL, null, 10).tasks()).hasSize(1);
    }

    @Test
    void an_old_server_takes_no_answer_that_the_new_one_would_not_learn_of() throws Exception {
        var question = old.awaitQuestion(task).outstanding().getFirst();
        taker = site("taker");
        taker.await(task, now -> now.execution().attempts().started() == 2);
        var answer = Map.of(question.key(), text("yes"));
        assertThatThrownBy(() -> old.engine.answer(ANN, task.id(), answer)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> old.engine.answer(ANN, task.id(), answer)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> old.engine.cancel(ANN, task.id(), null)).isInstanceOf(StoreException.class);
        taker.engine.answer(ANN, task.id(), answer);
        assertThat(TestEngine.outcome(taker.awaitEnd(task))).isEqualTo(result("yes"));
    }

    @Test
    void an_old_server_does_not_begin_what_the_new_one_has_begun_and_handed_back() throws Exception {
        old.awaitQuestion(task);
        taker = site("taker");
        taker.await(task, now -> now.execution().attempts().started() == 2);
        taker.close();
        assertThat(store.find(task.id()).orElseThrow().execution().lease()).isNull();
        assertThatThrownBy(() -> old.engine.cancel(ANN, task.id(), null)).isInstanceOf(StoreException.class);
        assertThat(begun).containsExactly("old 1", "taker 2");
    }
}
