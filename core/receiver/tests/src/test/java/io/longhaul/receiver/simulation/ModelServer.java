// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.Served;
import io.longhaul.testkit.SeededScheduler;
import io.longhaul.testkit.SeededScheduler.Group;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;

/** One process of the server over a store that outlives it, with threads of its own. */
final class ModelServer {

    /** Work may ask, and may run again, however often. */
    private static final TaskLimits LIMITS =
            TaskLimits.builder().crashAttempts(1_000_000).inputsPerTask(1_000).build();

    private final SeededScheduler scheduler;
    private final Group group;
    private final FakeTime time;
    private final ModelTransport transport;

    /** Its number among all processes. */
    final int number;

    /**
     * Starts at {@code now}, with the tasks of {@code store}.
     *
     * @param more adds tools and settings
     */
    ModelServer(
            int number,
            SeededScheduler scheduler,
            Random random,
            MemoryTaskStore store,
            Instant now,
            UnaryOperator<McpServerBuilder> more) {
        this.number = number;
        this.scheduler = scheduler;
        group = scheduler.new Group();
        time = new FakeTime(alarm -> group.start("alarm", alarm));
        time.set(now);
        transport = new ModelTransport(scheduler, group);
        var server = more.apply(McpServer.builder("model", "1.0")
                .store(pausing(TaskStore.class, store))
                .limits(LIMITS)
                .plainHosts(PlainHosts.WAITING)
                .time(time));
        Served.seed(server, random);
        group.start("start", () -> server.serve(transport.memory()));
        scheduler.run();
    }

    /** Other threads may go first where a real store would read or write a disk. */
    private <T> T pausing(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            scheduler.pause();
            try {
                var given = method.invoke(real, args);
                return given instanceof RowStore rows ? pausing(RowStore.class, rows) : given;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    ModelWire post(Map<String, String> headers, String message) {
        return transport.post(headers, message);
    }

    ModelWire get(Map<String, String> headers) {
        return transport.get(headers);
    }

    ModelWire delete(Map<String, String> headers) {
        return transport.delete(headers);
    }

    Instant now() {
        return time.now();
    }

    Optional<Instant> nextAlarm() {
        return time.nextAlarm();
    }

    /** Starts the alarms up to a time. */
    void set(Instant to) {
        time.set(to);
    }

    /** The process is killed. */
    void kill() {
        group.kill();
    }
}
