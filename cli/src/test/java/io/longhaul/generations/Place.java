// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.server.McpServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A whole server, whose time moves when a test says so, and which can be killed. */
final class Place implements AutoCloseable {

    private final MemoryTaskStore store;
    private final FakeTime time = new FakeTime();
    private final Works works = new Works();
    private final Way way;
    private final McpServer server;
    private final List<ServerEvent> events = new CopyOnWriteArrayList<>();

    Place(Way way) {
        this(way, new MemoryTaskStore(), FakeTime.START);
    }

    private Place(Way way, MemoryTaskStore store, Instant now) {
        this.way = way;
        this.store = store;
        time.set(now);
        // Some callers name their calls: as a host whose deployer knows it, they are answered like the others.
        var hold = PlainHosts.Host.holding(PlainHosts.DEFAULT.hold());
        var made = McpServer.builder("works", "1.0")
                .store(store)
                .time(time)
                .plainHosts(PlainHosts.DEFAULT.with("t", hold));
        made.observer(events::add);
        works.tools().forEach(made::tool);
        server = made.serve(way.transport());
    }

    Way way() {
        return way;
    }

    Works works() {
        return works;
    }

    /** What observers of the server were told so far. */
    List<ServerEvent> events() {
        return List.copyOf(events);
    }

    void pass(Duration duration) {
        time.advance(duration);
    }

    /** Lets time pass as soon as the server waits for exactly so much of it. */
    void passWhenAwaited(Duration duration) {
        try {
            time.awaitAlarmIn(duration);
            time.advance(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Takes the store away from under the server, and gives the one that is started after it. */
    Place kill() {
        var left = store.reopen();
        server.close();
        return new Place(way.another(), left, time.now());
    }

    @Override
    public void close() {
        server.close();
    }
}
