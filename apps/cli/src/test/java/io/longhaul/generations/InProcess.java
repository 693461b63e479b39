// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.server.McpServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A whole server, whose time moves when a test says so, and which can be killed; or several nodes over one store, whose
 * time moves by itself, since they look at what the others have done from time to time.
 */
final class InProcess implements Place {

    private final MemoryTaskStore store;
    private final FakeTime time = new FakeTime();
    private final Works works = new Works();
    private final Way way;
    private final List<McpServer> nodes = new ArrayList<>();
    private final boolean hasManyNodes;
    private final boolean isFront;
    private final List<ServerEvent> events = new CopyOnWriteArrayList<>();
    private final PlaceTime running;

    InProcess(Way way) {
        this(way, false);
    }

    /** @param isFront whether the nodes that clients reach run no tasks, and one more node runs all */
    InProcess(Way way, boolean isFront) {
        this(way, isFront, null, FakeTime.START);
    }

    private InProcess(Way way, boolean isFront, @Nullable MemoryTaskStore left, Instant now) {
        this.way = way;
        this.isFront = isFront;
        time.set(now);
        var transports = way.transports();
        hasManyNodes = transports.size() > 1;
        store = left == null ? newStore() : left;
        transports.forEach(transport -> serve(transport, !isFront));
        if (isFront) {
            serve(new MemoryTransport(), true);
        }
        running = new PlaceTime(time, hasManyNodes);
    }

    /** Leases go by a clock that stands: the time of the nodes may be faster than their threads. */
    private MemoryTaskStore newStore() {
        return hasManyNodes ? MemoryTaskStore.shared(new FakeTime()) : new MemoryTaskStore();
    }

    private void serve(ServerTransport transport, boolean runsTasks) {
        // Some callers name their calls: as a host whose deployer knows it, they are answered like the others.
        var hold = PlainHosts.Host.holding(PlainHosts.DEFAULT.hold());
        var made = McpServer.builder("works", "1.0")
                .store(store)
                .node("node-" + nodes.size())
                .runs(tool -> runsTasks)
                .time(time)
                .plainHosts(PlainHosts.DEFAULT.with("t", hold));
        made.observer(events::add);
        works.tools().forEach(made::tool);
        nodes.add(made.serve(transport));
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
        running.passWhenAwaited(duration);
    }

    @Override
    public Place kill() {
        var left = store.reopen();
        close();
        return new InProcess(way.another(), isFront, left, time.now());
    }

    @Override
    public void close() {
        running.close();
        nodes.forEach(McpServer::close);
    }
}
