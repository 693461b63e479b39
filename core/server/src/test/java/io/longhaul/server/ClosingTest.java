// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Lease;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.receiver.PlainHosts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ClosingTest {
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicBoolean closed = new AtomicBoolean();

    @Test
    void a_server_that_is_closed_twice_at_once_has_its_store_closed_when_either_returns() throws Exception {
        var server = Served.on(slowToClose()).server();
        var first = Thread.ofVirtual().start(server::close);
        closing.await();
        var seen = new AtomicBoolean();
        var second = Thread.ofPlatform().start(() -> {
            server.close();
            seen.set(closed.get());
        });
        while (second.isAlive() && second.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        gate.countDown();
        first.join();
        second.join();
        assertThat(seen).isTrue();
    }

    @Test
    void a_server_that_is_closed_waits_for_an_answer_in_flight() throws Exception {
        var begun = new CountDownLatch(1);
        var closer = new AtomicReference<Thread>();
        var isWaitedFor = new AtomicBoolean();
        MemoryReply reply;
        try (var served = Served.with(Tool.define("slow").handler((none, task) -> {
            begun.countDown();
            awaitInterrupt();
            while (closer.get().isAlive() && !isWaitedFor.get()) {
                isWaitedFor.set(closer.get().getState() == Thread.State.TIMED_WAITING);
            }
            return "done";
        }))) {
            reply = served.stateless("{}").send("tools/call", Served.call("slow", "{}"));
            begun.await();
            closer.set(Thread.ofPlatform().unstarted(served.server()::close));
            closer.get().start();
            closer.get().join();
        }
        assertThat(isWaitedFor).isTrue();
        assertThat(Served.resultText(reply)).isEqualTo("done");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_quick_call_ends_by_itself_within_the_grace_of_a_server_that_is_closed(boolean isInSession) throws Exception {
        var begun = new CountDownLatch(1);
        try (var served = Served.with(Tool.define("quick").handler((none, task) -> {
            begun.countDown();
            gate.await();
            return "done";
        }))) {
            var client = served.stateless("{}");
            var call = Served.call("quick", "{}");
            var reply = isInSession
                    ? served.handshake("2025-06-18").send("tools/call", call)
                    : client.send("tools/call", call);
            begun.await();
            var closer = Thread.ofPlatform().start(served.server()::close);
            while (client.send("tools/list", "{}").status() != 503) {
                Thread.onSpinWait();
            }
            gate.countDown();
            closer.join();
            assertThat(Served.resultText(reply)).isEqualTo("done");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_quick_call_that_the_end_of_the_server_cuts_short_is_told_so(boolean isInSession) throws Exception {
        var begun = new CountDownLatch(1);
        MemoryReply reply;
        try (var served = Served.with(new FakeTime(), endless(begun))) {
            var call = Served.call("endless", "{}");
            reply = isInSession
                    ? served.handshake("2025-06-18").send("tools/call", call)
                    : served.stateless("{}").send("tools/call", call);
            begun.await();
        }
        assertThat(reply.status()).isEqualTo(503);
        assertThat(Served.json(reply.response()).path("error").toString()).contains("-32603", "The server stopped");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_quick_call_that_is_cut_short_is_told_so_on_the_stream_that_it_has(boolean isInSession) throws Exception {
        var begun = new CountDownLatch(1);
        var time = new FakeTime();
        MemoryReply reply;
        try (var served = Served.with(time, endless(begun))) {
            var call = Served.call("endless", "{}");
            reply = isInSession
                    ? served.handshake("2025-11-25").send("tools/call", call)
                    : served.stateless("{}").send("tools/call", call);
            begun.await();
            time.advanceToAlarmIn(Duration.ofSeconds(1));
            assertThat(reply.isStream()).isTrue();
        }
        assertThat(Served.json(reply.response()).path("error").toString()).contains("-32603", "The server stopped");
    }

    @Test
    void a_call_that_waits_for_its_task_and_takes_no_stream_is_told_to_come_again() throws Exception {
        var time = new FakeTime();
        MemoryReply reply;
        try (var served = Served.with(time, Tools.waits(gate))) {
            reply = served.stateless("{}")
                    .send("tools/call", Served.call("waits", "{}"), Map.of("Accept", "application/json"));
            time.awaitAlarmIn(PlainHosts.DEFAULT.hold());
        }
        assertThat(reply.status()).isEqualTo(503);
        assertThat(Served.json(reply.response()).path("error").toString())
                .contains("-32603", "the task goes on: send the request again");
    }

    private static Tool endless(CountDownLatch begun) {
        return Tool.define("endless").handler((none, task) -> {
            begun.countDown();
            new CountDownLatch(1).await();
            return "never";
        });
    }

    @Test
    void the_work_of_tasks_ends_within_the_same_grace_as_quick_calls() throws Exception {
        var begun = new CountDownLatch(2);
        var told = new CountDownLatch(1);
        var closer = new AtomicReference<Thread>();
        var quick = Tool.define("quick").handler((none, task) -> {
            begun.countDown();
            told.await();
            // Longer than the last answers get to go out.
            boolean isClosed = closer.get().join(Duration.ofSeconds(1));
            return isClosed ? "late" : "done";
        });
        var walks = Tool.define("long").longRunning().handler((none, task) -> {
            begun.countDown();
            awaitInterrupt();
            told.countDown();
            return "done";
        });
        try (var served = Served.with(
                server -> server.limits(TaskLimits.builder()
                        .handBackGrace(Duration.ofMinutes(2))
                        .build()),
                quick,
                walks)) {
            var client = served.handshake("2025-11-25");
            client.task("long");
            var reply = client.send("tools/call", Served.call("quick", "{}"));
            begun.await();
            closer.set(Thread.ofPlatform().unstarted(served.server()::close));
            closer.get().start();
            closer.get().join();
            assertThat(Served.resultText(reply)).isEqualTo("done");
        }
    }

    @Test
    void a_request_that_comes_when_the_server_is_stopping_is_not_begun_and_told_so() throws Exception {
        var begun = new CountDownLatch(1);
        var calls = new AtomicInteger();
        var stopping = new CountDownLatch(1);
        var asked = new CountDownLatch(1);
        try (var served = Served.with(Tool.define("slow").handler((none, task) -> {
            calls.incrementAndGet();
            begun.countDown();
            awaitInterrupt();
            stopping.countDown();
            asked.await();
            return "done";
        }))) {
            var client = served.stateless("{}");
            var call = Served.call("slow", "{}");
            var first = client.send("tools/call", call);
            begun.await();
            var closer = Thread.ofPlatform().start(served.server()::close);
            stopping.await();
            var late = client.send("tools/call", call);
            assertThat(late.status()).isEqualTo(503);
            assertThat(Served.json(late.response()).path("error").toString())
                    .contains("-32603", "has not begun this call: call again");
            asked.countDown();
            closer.join();
            assertThat(Served.resultText(first)).isEqualTo("done");
        }
        assertThat(calls).hasValue(1);
    }

    @Test
    void a_server_that_is_closed_waits_for_half_a_second_and_not_until_the_last_answer() throws Exception {
        var begun = new CountDownLatch(1);
        var ended = new CompletableFuture<Void>();
        try (var served = Served.with(Tool.define("stuck").handler((none, task) -> {
            begun.countDown();
            ended.join();
            return "late";
        }))) {
            served.stateless("{}").send("tools/call", Served.call("stuck", "{}"));
            begun.await();
        }
        assertThat(ended).isNotDone();
        ended.complete(null);
    }

    private enum Trouble {
        TOOL,
        ROWS,
        PORT,
        LINKAGE,
        MONITOR
    }

    @ParameterizedTest
    @EnumSource
    void a_server_that_cannot_start_has_ended_its_engine_and_then_closed_its_store(Trouble trouble) {
        var ends = new ConcurrentLinkedQueue<String>();
        var builder = McpServer.builder("test", "1")
                .store(telling(ends, trouble == Trouble.ROWS))
                .tool(Tool.define("keeps")
                        .longRunning(options ->
                                options.keepFor(trouble == Trouble.TOOL ? Duration.ofDays(100) : Duration.ofHours(1)))
                        .handler((none, task) -> "done"));
        if (trouble == Trouble.MONITOR) {
            builder.monitor(new ServerMonitor() {
                @Override
                public void started(McpServer server) {
                    throw new IllegalStateException("the meters are broken");
                }
            });
        }
        var transport = new MemoryTransport();
        assertThatThrownBy(() -> builder.serve(
                        switch (trouble) {
                            case PORT -> broken(new UncheckedIOException(new IOException("Address already in use")));
                            case LINKAGE -> broken(new NoClassDefFoundError("a/Class"));
                            default -> transport;
                        }))
                .isInstanceOf(
                        switch (trouble) {
                            case TOOL -> IllegalArgumentException.class;
                            case ROWS -> StoreException.class;
                            case PORT -> UncheckedIOException.class;
                            case LINKAGE -> NoClassDefFoundError.class;
                            case MONITOR -> IllegalStateException.class;
                        });
        var all = trouble == Trouble.TOOL ? List.of("closed") : List.of("left", "closed");
        assertThat(ends).containsExactlyElementsOf(all);
        assertThatThrownBy(() -> builder.serve(transport)).hasMessageContaining("define another one");
        assertThat(ends).containsExactlyElementsOf(all);
    }

    /** A store that tells when an engine has handed back its lease, and when it is closed. */
    private static TaskStore telling(Queue<String> ends, boolean hasNoRows) {
        return new ForwardingStore(new MemoryTaskStore()) {
            @Override
            public RowStore rows() {
                if (hasNoRows) {
                    throw new StoreException("the rows cannot be read");
                }
                return super.rows();
            }

            @Override
            public void leave(Lease lease, Instant now) {
                ends.add("left");
                super.leave(lease, now);
            }

            @Override
            public void close() {
                ends.add("closed");
                super.close();
            }
        };
    }

    /** A transport that cannot start. */
    private static ServerTransport broken(Throwable trouble) {
        var type = ServerTransport.class;
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (method.getName().equals("start")) {
                        throw trouble;
                    }
                    return null;
                }));
    }

    private static void awaitInterrupt() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            // It goes on, as a handler may.
        }
    }

    private TaskStore slowToClose() {
        var type = TaskStore.class;
        var real = new MemoryTaskStore();
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        closing.countDown();
                        gate.await();
                        closed.set(true);
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
