// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.server.internal.schema.Values;
import org.jspecify.annotations.Nullable;

/** A backend that gets the arguments as handlers do: with their defaults, and without nulls that stand for absence. */
record FilledBackend(Tool tool, Backend backend) implements Backend {

    @Override
    public Outcome run(Run run) throws Exception {
        return backend.run(filled(run));
    }

    @Override
    public void stop(Run run) throws InterruptedException {
        backend.stop(filled(run));
    }

    @Override
    public Outcome timedOut(Run run, Outcome.Failed end) {
        return backend.timedOut(filled(run), end);
    }

    @Override
    public @Nullable String cancelled(Run run, @Nullable String reason) {
        return backend.cancelled(filled(run), reason);
    }

    @Override
    public boolean isBoundToNode() {
        return backend.isBoundToNode();
    }

    private Run filled(Run run) {
        TaskSpec spec = run.spec();
        var given = Values.tree(spec.request());
        var filled = tool.filled(given);
        return filled.equals(given) ? run : new FilledRun(run, with(spec, Values.payload(filled)));
    }

    private static TaskSpec with(TaskSpec spec, Payload request) {
        return new TaskSpec(spec.owner(), spec.work(), request, spec.source(), spec.creationKey(), spec.createdAt());
    }
}
