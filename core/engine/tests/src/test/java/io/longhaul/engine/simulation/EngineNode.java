// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.simulation;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.SharedTasks.Standing;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Lease;
import io.longhaul.testkit.SeededScheduler.Group;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One process with an engine over the store of the world, which can be killed, paused and stopped. */
final class EngineNode {

    static final int RUNNING_OF_A_KIND = 2;

    /** For how long a lease holds. */
    private static final Duration TERM = Duration.ofSeconds(15);

    /** What a thread of a client does; a failing store is no fault of it. */
    interface Call {
        void run(TaskEngine engine) throws InterruptedException;
    }

    final EngineWorld world;
    final String name;
    final Group group;
    final NodeClock clock;
    final List<ModelAttempt> attempts = new ArrayList<>();
    final ModelClients clients;
    private final boolean offersLate;
    private @Nullable Work offered;
    private @Nullable TaskEngine engine;
    private @Nullable Lease lease;
    private Instant upSince;
    private Instant renewedAt = Instant.MIN;
    private @Nullable Instant drainedSince;
    private Instant drainedUntil = Instant.MIN;
    private Instant drainedBefore = Instant.MIN;
    private boolean isDraining;
    private boolean isFrozen;
    private boolean isClosing;
    private boolean isOver;

    EngineNode(EngineWorld world, String name, Duration wrongBy, boolean offersLate) {
        this.world = world;
        this.name = name;
        this.offersLate = offersLate;
        group = world.scheduler.new Group();
        clock = new NodeClock(world.time, group, wrongBy);
        world.clocks.add(clock);
        clients = new ModelClients(this);
        upSince = world.time.now();
        group.start(name, this::start);
    }

    private void start() {
        var builder = DurableEngine.builder()
                .store(NodeStore.of(this))
                .time(clock)
                .limits(world.limits)
                .ids(world.ids)
                .node(name)
                .threads(this::thread);
        for (var work : works()) {
            if (offersLate && work.name().equals(EngineWorld.LATE)) {
                offered = work;
            } else {
                builder.work(work);
            }
        }
        try {
            engine = builder.start();
            upSince = world.time.now();
        } catch (StoreException e) {
            isOver = true;
        }
    }

    private Thread thread(Runnable action) {
        return Thread.ofVirtual().unstarted(() -> {
            try {
                action.run();
            } catch (Throwable e) {
                world.fail("thread " + Thread.currentThread().getName() + " of " + name + " dies of " + e, e);
            }
        });
    }

    private List<Work> works() {
        return EngineWorld.WORKS.stream()
                .map(work -> new Work(
                        work.name(),
                        new ScriptedBackend(this),
                        work.crashPolicy(),
                        world.bounds(work),
                        world.suspendAfter(work),
                        EngineWorld.REPEATED))
                .toList();
    }

    /** The work that was not there at the start comes. */
    void offer() {
        var work = offered;
        if (work != null) {
            submit("offer", now -> {
                now.offer(work);
                offered = null;
            });
        }
    }

    /** Whether it has the work, and had it for some time. */
    boolean offers(String work) {
        return offered == null || !work.equals(EngineWorld.LATE);
    }

    ModelAttempt begin(Run run) {
        var task = world.known(run.id());
        var attempt = new ModelAttempt(task, run.attempt(), lease);
        attempt.heard(world.time.now());
        attempts.add(attempt);
        world.log(attempt + " begins at " + name);
        task.runs++;
        var policy = world.policy(task.last());
        world.require(policy != CrashPolicy.FAIL || task.runs == 1 + run.retries(), "%s is run twice", task.id);
        world.require(
                run.attempt() > 1 || !wasDrainedBefore(task), "%s is begun at %s, which is drained", task.id, name);
        return attempt;
    }

    /** Has a client call the engine on a thread of its own. */
    void submit(String what, Call call) {
        var current = engine;
        if (current == null || isOver) {
            return;
        }
        group.start(what, () -> {
            boolean mayFail = world.isFaulty();
            var before = lease;
            try {
                call.run(current);
            } catch (StoreException e) {
                boolean isFenced = !holdsLease() || !Objects.equals(before, lease);
                world.require(mayFail || isFenced, "%s fails on a sound store: %s", what, e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (IllegalStateException e) {
                world.require(isClosing, "%s fails: %s", what, e);
            } catch (RuntimeException e) {
                world.fail(what + " fails with " + e, e);
            }
        });
    }

    void kill() {
        isOver = true;
        group.kill();
    }

    /** The process is stopped by its operator, and exits when that is done. */
    void close() {
        var current = engine;
        if (current != null && !isClosing) {
            isClosing = true;
            group.start("close", () -> {
                current.close();
                isOver = true;
            });
        }
    }

    void freeze() {
        isFrozen = true;
        group.freeze();
    }

    void thaw() {
        isFrozen = false;
        upSince = world.time.now();
        attempts.forEach(attempt -> attempt.heard(upSince));
        group.thaw();
    }

    void joined(Lease given) {
        lease = given;
        renewedAt = world.time.now();
    }

    /** It keeps its lease; one that comes too late for that has to be up for a while anew. */
    void renewed(Standing standing) {
        var now = world.time.now();
        if (standing != Standing.DRAINING) {
            drainedSince = null;
        } else {
            drainedBefore = drainedSince == null ? Instant.MIN : drainedUntil;
            drainedSince = drainedSince == null ? now : drainedSince;
            drainedUntil = now;
        }
        if (renewedAt.plus(TERM).isBefore(now)) {
            upSince = now;
        }
        renewedAt = now;
    }

    /** An operator has it drained, or no longer. */
    void drain(boolean on) {
        isDraining = on;
        upSince = world.time.now();
        world.log(name + (isDraining ? " is drained" : " is drained no more"));
        world.drain(name, isDraining);
    }

    boolean isDraining() {
        return isDraining;
    }

    /** Whether it may be drained at this moment, or does not know yet that it is no more. */
    boolean mayBeDraining() {
        return isDraining || drainedSince != null;
    }

    /** Whether it knew already when the task was created that it is drained. */
    private boolean wasDrainedBefore(KnownTask task) {
        return drainedSince != null && drainedSince.isBefore(task.createdAt());
    }

    /**
     * Whether it was told twice after the last write of the task that it is drained: the first time its own thread may
     * not have known yet that the task is stored.
     */
    boolean isToGiveAway(KnownTask task) {
        return drainedSince != null && task.isOlderThan(drainedBefore);
    }

    @Nullable
    Lease lease() {
        return lease;
    }

    boolean holdsLease() {
        return world.holds(lease);
    }

    /** Whether it has the right to that task. */
    boolean holds(KnownTask task) {
        return holdsLease() && Objects.equals(lease, task.last().execution().lease());
    }

    boolean isFrozen() {
        return isFrozen;
    }

    boolean isClosing() {
        return isClosing;
    }

    boolean isOver() {
        return isOver;
    }

    /** Whether it is up and has the right to run tasks. */
    boolean serves() {
        return engine != null && !isOver && !isClosing && !isFrozen && holdsLease();
    }

    /** Whether it was neither started nor thawed within {@code duration}. */
    boolean hasBeenUpFor(Duration duration) {
        return upSince.isBefore(world.time.now().minus(duration));
    }
}
