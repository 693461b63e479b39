// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.longhaul.engine.run.JobEnd;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import tools.jackson.databind.json.JsonMapper;

/** Puts what a workflow gave into the format of results. Thread-safe; whoever knows that format provides it. */
@FunctionalInterface
public interface WorkflowOutcomes {

    /** The outcome of a workflow that came to its end, or that Temporal has refused or lost. */
    Outcome write(JobEnd end);

    /** A piece of partial output; a JSON text unless overridden. */
    default Payload partial(String text) {
        return Payload.of(JsonMapper.shared().writeValueAsBytes(text));
    }
}
