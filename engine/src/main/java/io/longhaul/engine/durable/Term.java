// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.task.Lease;

/** What a node has for as long as one lease of it holds: the tasks of that lease, and what runs them. */
final class Term {

    final LiveTasks tasks;
    final Runner runner;
    final Recovery recovery;
    final Creations creations;

    Term(EngineContext parts, Lease lease, Slots slots, TaskEngine engine) {
        tasks = new LiveTasks(parts.limits(), parts.others() != null);
        runner = new Runner(parts, tasks, lease, slots, this::retake);
        recovery = new Recovery(parts, tasks, runner);
        creations = new Creations(parts, tasks, runner, engine);
    }

    private void retake(LiveTask live) {
        recovery.retake(live);
    }
}
