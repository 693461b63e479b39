// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.testkit.SeededScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;

/** The processes of the server over one store and on one time: one, or several nodes that share the store. */
final class ModelNodes {

    /** A node takes the tasks of dead ones after the term of their leases, when its own has held for as long. */
    private static final Duration TAKEN_OVER = Duration.ofSeconds(40);

    private final SeededScheduler scheduler;
    private final Random random;
    private final UnaryOperator<McpServerBuilder> more;
    private final int count;
    private final FakeTime clock = new FakeTime();
    private final List<ModelServer> alive = new ArrayList<>();
    private MemoryTaskStore store;
    private int started;
    private ModelServer current;

    /** @param more adds tools and settings to each process */
    ModelNodes(SeededScheduler scheduler, Random random, int count, UnaryOperator<McpServerBuilder> more) {
        this.scheduler = scheduler;
        this.random = random;
        this.count = count;
        this.more = more;
        store = count > 1 ? MemoryTaskStore.shared(clock) : new MemoryTaskStore();
        start();
    }

    private void start() {
        while (alive.size() < count) {
            alive.add(new ModelServer(++started, scheduler, random, store, clock.now(), more));
        }
        draw();
    }

    boolean areSeveral() {
        return count > 1;
    }

    /** The next requests go to another node. */
    void draw() {
        current = count > 1 ? alive.get(random.nextInt(count)) : alive.getFirst();
    }

    /** The node to which requests go. */
    ModelServer current() {
        return current;
    }

    Instant now() {
        return clock.now();
    }

    /** Time goes by, alarm by alarm. */
    void advance(Duration duration) {
        var until = clock.now().plus(duration);
        for (var next = nextAlarm(until); next.isPresent(); next = nextAlarm(until)) {
            set(next.get());
        }
        set(until);
    }

    private Optional<Instant> nextAlarm(Instant until) {
        return alive.stream()
                .flatMap(node -> node.nextAlarm().stream())
                .min(Instant::compareTo)
                .filter(next -> !next.isAfter(until));
    }

    private void set(Instant to) {
        clock.set(to);
        alive.forEach(node -> node.set(to));
        scheduler.run();
    }

    /** All processes are killed wherever their threads are, and start again some time later. */
    MemoryTaskStore crash(Duration later) {
        alive.forEach(ModelServer::kill);
        alive.clear();
        store = store.reopen();
        clock.set(clock.now().plus(later));
        start();
        if (count > 1) {
            advance(TAKEN_OVER);
        }
        return store;
    }
}
