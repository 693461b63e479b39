// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import org.jspecify.annotations.Nullable;

/** Passes all calls but {@link #run} on to another backend: the base of backends that add something to each attempt. */
abstract class PassingBackend implements Backend {

    final Backend backend;

    PassingBackend(Backend backend) {
        this.backend = backend;
    }

    @Override
    public final void stop(Run run) throws InterruptedException {
        backend.stop(run);
    }

    @Override
    public final Outcome timedOut(Run run, Outcome.Failed end) {
        return backend.timedOut(run, end);
    }

    @Override
    public final @Nullable String cancelled(Run run, @Nullable String reason) {
        return backend.cancelled(run, reason);
    }

    @Override
    public final boolean isBoundToNode() {
        return backend.isBoundToNode();
    }
}
