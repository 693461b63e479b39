// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.server.internal.serving.StoreProbe;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What a server says of itself to those who run it. */
class ReadinessTest {
    private static final Readiness READY = new Readiness.Ready();

    private final FakeTime time = new FakeTime();
    private final FaultyTaskStore store = new FaultyTaskStore(new MemoryTaskStore(), 0);

    private McpServer serve(TaskStore kept, Tool... tools) {
        var server = McpServer.builder("test", "1.0").store(kept).time(time);
        List.of(tools).forEach(server::tool);
        return server.serve(new MemoryTransport());
    }

    @Test
    void a_server_whose_store_takes_writes_is_ready() {
        try (var server = serve(store)) {
            assertThat(server.readiness()).isEqualTo(READY);
        }
    }

    @Test
    void a_server_without_a_store_is_ready() {
        try (var server = McpServer.builder("test", "1.0").serve(new MemoryTransport())) {
            assertThat(server.readiness()).isEqualTo(READY);
        }
    }

    @Test
    void a_server_that_another_one_of_its_name_has_replaced_is_not_ready() {
        var shared = MemoryTaskStore.shared(time);
        var first = McpServer.builder("test", "1.0").store(shared).time(time).node("one");
        var second = McpServer.builder("test", "1.0").store(shared).time(time).node("one");
        try (var server = first.serve(new MemoryTransport());
                var next = second.serve(new MemoryTransport())) {
            while (server.readiness().equals(READY)) {
                time.advance(Duration.ofSeconds(1));
            }
            assertThat(server.readiness())
                    .isEqualTo(new Readiness.NotReady(List.of("another process runs under the name of this node")));
            assertThat(next.readiness()).isEqualTo(READY);
        }
    }

    @Test
    void a_full_disk_is_told_and_so_is_that_there_is_room_again() {
        try (var server = serve(store)) {
            store.fill();
            assertThat(server.readiness())
                    .isEqualTo(new Readiness.NotReady(List.of("the disk of the task store is full")));
            store.free();
            time.advance(Duration.ofSeconds(1));
            assertThat(server.readiness()).isEqualTo(READY);
        }
    }

    @Test
    void the_store_is_asked_once_a_second() {
        try (var server = serve(store)) {
            assertThat(server.readiness()).isEqualTo(READY);
            store.fill();
            assertThat(server.readiness()).isEqualTo(READY);
            time.advance(Duration.ofSeconds(1));
            assertThat(server.readiness()).isNotEqualTo(READY);
        }
    }

    @Test
    void a_server_that_is_about_to_end_is_not_ready_and_goes_on_serving() {
        try (var served = Served.with(Tool.define("quick").handler((none, task) -> "done"))) {
            served.server().retire();
            assertThat(served.server().readiness()).isInstanceOf(Readiness.NotReady.class);
            var reply = served.stateless("{}").send("tools/call", Served.call("quick", "{}"));
            assertThat(Served.resultText(reply)).isEqualTo("done");
        }
    }

    @Test
    void a_server_that_is_closed_is_not_ready() {
        var server = serve(store);
        server.close();
        assertThat(server.readiness()).isEqualTo(new Readiness.NotReady(List.of("the server is shutting down")));
    }

    @Test
    void a_server_counts_its_tasks_and_sessions() {
        var go = new CountDownLatch(1);
        try (var served = Served.on(store, time, Tools.waits(go))) {
            served.handshake("2025-11-25").task("waits");

            var now = served.server().statistics();

            assertThat(now.tasks().works().getFirst().states()).containsOnlyKeys(TaskState.WORKING);
            assertThat(now.sessions()).isEqualTo(1);
            go.countDown();
        }
    }

    @Test
    void a_store_that_does_not_answer_in_time_makes_the_server_unready() {
        var answers = new CountDownLatch(1);
        var probe = new StoreProbe(engine(answers));
        assertThat(probe.trouble(Duration.ofMillis(50)))
                .hasValueSatisfying(trouble -> assertThat(trouble).contains("has not answered"));
        answers.countDown();
        assertThat(probe.trouble(StoreProbe.PATIENCE)).isEmpty();
    }

    /** An engine whose store takes a row when it may. */
    private TaskEngine engine(CountDownLatch mayAnswer) {
        var rows = proxy(RowStore.class, (proxy, method, arguments) -> {
            mayAnswer.await();
            return method.invoke(store.rows(), arguments);
        });
        return proxy(
                TaskEngine.class, (proxy, method, arguments) -> method.getName().equals("rows") ? rows : time);
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
