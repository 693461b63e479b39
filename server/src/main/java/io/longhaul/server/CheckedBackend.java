// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import io.longhaul.server.internal.schema.Values;
import org.jspecify.annotations.Nullable;

/** A backend of a tool with an output schema: checks its good results against the schema, like those of handlers. */
record CheckedBackend(Backend backend, ResultForm form) implements Backend {

    @Override
    public Outcome run(Run run) throws Exception {
        Outcome outcome = backend.run(run);
        if (outcome instanceof Outcome.Result(var result, boolean isError) && !isError) {
            try {
                form.check(Values.tree(result).get("structuredContent"));
            } catch (McpException e) {
                return HandlerBackend.error(e);
            }
        }
        return outcome;
    }

    @Override
    public void stop(Run run) throws InterruptedException {
        backend.stop(run);
    }

    @Override
    public Outcome timedOut(Run run, Outcome.Failed end) {
        return backend.timedOut(run, end);
    }

    @Override
    public @Nullable String cancelled(Run run, @Nullable String reason) {
        return backend.cancelled(run, reason);
    }

    @Override
    public boolean isBoundToNode() {
        return backend.isBoundToNode();
    }
}
