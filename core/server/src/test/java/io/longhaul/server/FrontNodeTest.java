// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Calls at a server that runs no tasks: another one over the same store runs them, each with an engine of its own. */
@Timeout(60)
class FrontNodeTest {

    private static final Duration TICK = Duration.ofMillis(100);
    private static final String ANSWER = "{\"action\":\"accept\",\"content\":" + Tools.NAME + "}";

    private final FakeTime time = new FakeTime();

    /** Leases go by a clock that stands: the time of the nodes is faster than their threads. */
    private final MemoryTaskStore store = MemoryTaskStore.shared(new FakeTime());

    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Semaphore mayEnd = new Semaphore(0);
    private final AtomicInteger runs = new AtomicInteger();
    private Served front;
    private Served work;

    /** What one node has of the store: its end is not that of the store. */
    private final class Connection extends ForwardingStore {
        Connection() {
            super(store);
        }

        @Override
        public void close() {}
    }

    @BeforeEach
    void serve() {
        front = node("front", false);
        work = node("work", true);
    }

    private Served node(String name, boolean runsAll) {
        return Served.on(
                new Connection(),
                server -> server.node(name)
                        .time(time)
                        .runs(tool -> runsAll)
                        .tool(Tools.asks())
                        .tool(works(name)));
    }

    private Tool works(String node) {
        return Tool.define("works")
                .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                .handler((none, task) -> {
                    runs.incrementAndGet();
                    started.countDown();
                    try {
                        mayEnd.acquire();
                    } finally {
                        stopped.countDown();
                    }
                    return "done at " + node;
                });
    }

    @AfterEach
    void close() {
        mayEnd.release(10);
        work.close();
        front.close();
    }

    private void awaitPassing(CountDownLatch latch) throws InterruptedException {
        while (!latch.await(1, TimeUnit.MILLISECONDS)) {
            time.advance(TICK);
        }
    }

    private void passUntil(BooleanSupplier holds) throws InterruptedException {
        var never = new CountDownLatch(1);
        while (!holds.getAsBoolean()) {
            time.advance(TICK);
            assertThat(never.await(1, TimeUnit.MILLISECONDS)).isFalse();
        }
    }

    /** The node of the only task; empty where none has it. */
    private String holder() {
        var task = front.server().tasks().list(TaskFilter.ALL, null, 1).tasks().getFirst();
        var lease = task.execution().lease();
        return lease == null ? "" : lease.node();
    }

    /** The next message that contains a text, for which time has to go by. */
    private JsonNode next(MemoryReply reply, String contained) throws Exception {
        return passing(() -> Served.json(reply.nextContaining(contained).data()));
    }

    private JsonNode result(MemoryReply reply) throws Exception {
        return passing(() -> HandOverParts.result(reply));
    }

    private <T> T passing(Supplier<T> waits) throws Exception {
        var value = CompletableFuture.supplyAsync(waits, Thread.ofVirtual()::start);
        passUntil(value::isDone);
        return value.get();
    }

    @Test
    void a_task_of_2025_11_25_is_cancelled_before_the_response_and_its_run_is_stopped() throws Exception {
        var client = front.handshake("2025-11-25");
        var task = client.task("works");
        awaitPassing(started);
        assertThat(client.ask("tasks/cancel", taskId(task)).at("/result/status").asString())
                .isEqualTo("cancelled");
        assertThat(work.handshake("2025-11-25").status(task)).isEqualTo("cancelled");
        awaitPassing(stopped);
    }

    @Test
    void a_long_call_of_a_host_without_tasks_is_handed_over_joined_and_waited_for() throws Exception {
        var client = front.handshake("2025-06-18", HandOverParts.PLAIN);
        var call = client.send("tools/call", Served.call("works", "{}"));
        awaitPassing(started);
        var task = HandOverParts.named(result(call));
        assertThat(HandOverParts.list(client)).contains(task);
        assertThat(HandOverParts.named(result(client.send("tools/call", Served.call("works", "{}")))))
                .isEqualTo(task);
        mayEnd.release();
        assertThat(text(result(HandOverParts.go(client, "task_wait", task)))).contains("done at work");
        assertThat(runs).hasValue(1);
    }

    @Test
    void a_long_call_that_its_client_gives_up_cancels_its_task() throws Exception {
        var client = front.handshake("2025-11-25");
        client.send("tools/call", Served.call("works", "{}"));
        awaitPassing(started);
        client.post(Served.cancelled(1)).status();
        client.await(client.onlyTask(), "cancelled");
        awaitPassing(stopped);
    }

    @Test
    void a_question_is_asked_on_the_stream_of_its_call() throws Exception {
        var client = front.handshake("2025-06-18");
        var call = client.send("tools/call", Served.call("asks", "{}"));
        client.answer(next(call, "elicitation/create"), ANSWER).status();
        assertThat(text(result(call))).isEqualTo("It is Ada");
    }

    @Test
    void a_question_of_a_drained_node_is_answered_while_another_one_has_its_task() throws Exception {
        var client = front.handshake("2025-06-18");
        var call = client.send("tools/call", Served.call("asks", "{}"));
        var question = next(call, "elicitation/create");
        store.sharedTasks().orElseThrow().drain("work", true);
        try (var other = node("other", true)) {
            passUntil(() -> holder().equals("other"));
            client.answer(question, ANSWER).status();
            assertThat(text(result(call))).isEqualTo("It is Ada");
        }
    }
}
