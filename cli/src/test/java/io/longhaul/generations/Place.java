package io.longhaul.generations;

import io.longhaul.protocol.transport.Principal;
import io.longhaul.server.McpServer;
import io.longhaul.server.RunningServer;
import io.longhaul.testkit.FakeTime;
import io.longhaul.testkit.MemoryTaskStore;
import io.longhaul.testkit.MemoryTransport;
import java.time.Duration;
import java.time.Instant;

/** A whole server in memory, whose time moves when a test says so, and which can be killed. */
final class Place implements AutoCloseable {

    private final MemoryTaskStore store;
    private final FakeTime time = new FakeTime();
    private final Works works = new Works();
    private final MemoryTransport transport = new MemoryTransport();
    private final RunningServer server;

    Place() {
        this(new MemoryTaskStore(), FakeTime.START);
    }

    private Place(MemoryTaskStore store, Instant now) {
        this.store = store;
        time.set(now);
        var made = McpServer.named("works", "1.0").store(store).time(time);
        works.tools().forEach(made::tool);
        server = made.serve(transport);
    }

    /** A client who has shown that they are {@code subject}. */
    Wire wire(String subject) {
        return new MemoryWire(transport, principal(subject));
    }

    static Principal principal(String subject) {
        return new Principal(subject, Principal.Kind.AUTHORIZED);
    }

    MemoryTransport transport() {
        return transport;
    }

    Works works() {
        return works;
    }

    void pass(Duration duration) {
        time.advance(duration);
    }

    /** Takes the store away from under the server, and gives the one that is started after it. */
    Place kill() {
        var left = store.reopen();
        server.close();
        return new Place(left, time.now());
    }

    @Override
    public void close() {
        server.close();
    }
}
