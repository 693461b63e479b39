// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.longhaul.engine.run.RemoteResult;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts the end of a workflow to the format of results. Thread-safe. The module that knows that format provides an
 * implementation.
 */
@FunctionalInterface
public interface WorkflowOutcomes {

    /** The outcome of a workflow that has ended, or that Temporal has refused or lost. */
    Outcome write(RemoteResult end);

    /** A piece of partial output; by default a JSON text. */
    default Payload partial(String text) {
        return Payload.of(JsonMapper.shared().writeValueAsBytes(text));
    }
}
