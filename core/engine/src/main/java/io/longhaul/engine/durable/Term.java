// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.durable.Creations.Wanted;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.transition.Carried;

/** The parts of an engine that last as long as one lease: the tasks of the lease, and the components that run them. */
final class Term {

    final LiveTasks tasks;
    final Runner runner;
    final Recovery recovery;
    final Creations creations;

    Term(EngineContext parts, Lease lease, Slots slots, DurableEngine engine) {
        var others = parts.others();
        tasks = new LiveTasks(parts.limits(), others == null ? null : others.looks());
        var children = new Children(
                parts, engine, (creation, share) -> engine.create(new Wanted(creation, share, Carried.NOTHING), this));
        runner = new Runner(children, tasks, lease, slots, this::retake);
        recovery = new Recovery(parts, tasks, runner);
        creations = new Creations(parts, tasks, runner, engine);
    }

    private void retake(LiveTask live) {
        recovery.retake(live);
    }
}
