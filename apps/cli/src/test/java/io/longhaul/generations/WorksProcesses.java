// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.testkit.talk.ClientWire;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Several processes over one PostgreSQL, each request at the next of them. They are there for all cases in turn, so
 * each case has owners of its own.
 */
final class WorksProcesses extends BalancedWay implements Place, Steering {

    private static final long PATIENCE_SECONDS = 20;

    private final String database;
    private final List<WorksProcess> nodes = new ArrayList<>();
    private final Semaphore begun = new Semaphore(0);
    /** The node at which a slow tool has begun last. */
    private volatile int busy;

    private int shown;

    WorksProcesses(String database, int count) {
        this.database = database;
        for (int node = 0; node < count; node++) {
            nodes.add(start(node));
        }
        nodes.forEach(WorksProcess::uri);
    }

    private WorksProcess start(int node) {
        return new WorksProcess(database, "node-" + node, () -> {
            busy = node;
            begun.release();
        });
    }

    /** The same processes for the next case. */
    Place forNextCase() {
        shown++;
        nodes.forEach(node -> node.command(WorksNode.CLOSE));
        begun.drainPermits();
        return this;
    }

    @Override
    public Way way() {
        return this;
    }

    @Override
    public Steering works() {
        return this;
    }

    @Override
    public List<ServerEvent> events() {
        throw new UnsupportedOperationException("observers are in the processes");
    }

    @Override
    public void pass(Duration duration) {
        throw new UnsupportedOperationException("the time of processes passes by itself");
    }

    @Override
    public void passWhenAwaited(Duration duration) {}

    @Override
    public Place kill() {
        nodes.forEach(WorksProcess::kill);
        nodes.replaceAll(node -> start(nodes.indexOf(node)));
        nodes.forEach(WorksProcess::uri);
        return this;
    }

    /** Leaves the processes there for the next case, with nobody at their gates. */
    @Override
    public void close() {}

    void end() {
        nodes.forEach(WorksProcess::kill);
    }

    @Override
    public void awaitBegun() throws InterruptedException {
        if (!begun.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("nothing has begun for " + PATIENCE_SECONDS + " s");
        }
    }

    @Override
    public int begunBeside() {
        return begun.availablePermits();
    }

    @Override
    public void letOneThrough() {
        nodes.get(busy).command(WorksNode.ONE);
    }

    @Override
    public void openGate() {
        nodes.forEach(node -> node.command(WorksNode.OPEN));
    }

    @Override
    public ClientWire wire(String subject) {
        return WebWay.wire(this::next, subject + "-" + shown);
    }

    private URI next() {
        return next(nodes.stream().map(WorksProcess::uri).toList());
    }
}
