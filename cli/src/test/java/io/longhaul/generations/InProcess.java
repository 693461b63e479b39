// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.server.McpServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A whole server, whose time moves when a test says so, and which can be killed; or several nodes over one store, whose
 * time moves by itself, since they look at what the others have done from time to time.
 */
final class InProcess implements Place {

    private static final Duration TICK = Duration.ofMillis(100);

    /** A node that does nothing for two seconds, as on a busy machine, is taken for dead by the others. */
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final MemoryTaskStore store;
    private final FakeTime time = new FakeTime();
    private final Works works = new Works();
    private final Way way;
    private final List<McpServer> nodes = new ArrayList<>();
    private final boolean hasManyNodes;
    private final List<ServerEvent> events = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    InProcess(Way way) {
        this(way, null, FakeTime.START);
    }

    private InProcess(Way way, @Nullable MemoryTaskStore left, Instant now) {
        this.way = way;
        time.set(now);
        var transports = way.transports();
        hasManyNodes = transports.size() > 1;
        store = left == null ? newStore() : left;
        transports.forEach(this::serve);
        if (hasManyNodes) {
            Thread.ofVirtual().name("clock").start(this::tick);
        }
    }

    /** Leases go by a clock that stands: the time of the nodes may be faster than their threads. */
    private MemoryTaskStore newStore() {
        return hasManyNodes ? MemoryTaskStore.shared(new FakeTime()) : new MemoryTaskStore();
    }

    private void serve(ServerTransport transport) {
        // Some callers name their calls: as a host whose deployer knows it, they are answered like the others.
        var hold = PlainHosts.Host.holding(PlainHosts.DEFAULT.hold());
        var made = McpServer.builder("works", "1.0")
                .store(store)
                .node("node-" + nodes.size())
                .time(time)
                .plainHosts(PlainHosts.DEFAULT.with("t", hold));
        made.observer(events::add);
        works.tools().forEach(made::tool);
        nodes.add(made.serve(transport));
    }

    private void tick() {
        try {
            while (!closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                time.advance(TICK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Way way() {
        return way;
    }

    @Override
    public Works works() {
        return works;
    }

    @Override
    public List<ServerEvent> events() {
        return List.copyOf(events);
    }

    @Override
    public void pass(Duration duration) {
        time.advance(duration);
    }

    @Override
    public void passWhenAwaited(Duration duration) {
        if (hasManyNodes) {
            return;
        }
        try {
            time.awaitAlarmIn(duration);
            time.advance(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public Place kill() {
        var left = store.reopen();
        close();
        return new InProcess(way.another(), left, time.now());
    }

    @Override
    public void close() {
        closed.countDown();
        nodes.forEach(McpServer::close);
    }
}
