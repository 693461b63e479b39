// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.lease;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.attempt.Runner;
import io.longhaul.engine.children.Children;
import io.longhaul.engine.lease.Creations.Wanted;
import io.longhaul.engine.ledger.LiveTask;
import io.longhaul.engine.ledger.LiveTasks;
import io.longhaul.engine.node.EngineContext;
import io.longhaul.engine.recovery.Recovery;
import io.longhaul.engine.slot.Slots;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.transition.Carried;
import java.util.function.BiFunction;

/** The parts of an engine that last as long as one lease: the tasks of the lease, and the components that run them. */
public final class LeaseTerm {

    private final LiveTasks tasks;
    private final Runner runner;
    private final Recovery recovery;
    private final Creations creations;

    /** @param creator creates a child under the lease of a term */
    public LeaseTerm(
            EngineContext parts,
            Lease lease,
            Slots slots,
            TaskEngine engine,
            BiFunction<Wanted, LeaseTerm, Created> creator) {
        var others = parts.others();
        tasks = new LiveTasks(parts.limits(), others == null ? null : others.earlyPoll());
        var children = new Children(
                parts, engine, (creation, share) -> creator.apply(new Wanted(creation, share, Carried.NOTHING), this));
        runner = new Runner(children, tasks, lease, slots, this::retake);
        recovery = new Recovery(parts, tasks, runner);
        creations = new Creations(parts, tasks, runner, engine);
    }

    private void retake(LiveTask live) {
        recovery.retake(live);
    }

    public LiveTasks tasks() {
        return tasks;
    }

    public Runner runner() {
        return runner;
    }

    public Recovery recovery() {
        return recovery;
    }

    public Creations creations() {
        return creations;
    }
}
