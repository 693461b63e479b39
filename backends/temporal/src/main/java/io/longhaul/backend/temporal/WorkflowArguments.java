// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.longhaul.engine.task.Payload;
import tools.jackson.databind.JsonNode;

/** Reads the arguments of a call out of its request. Thread-safe; whoever knows the format of requests provides it. */
@FunctionalInterface
public interface WorkflowArguments {

    /**
     * What the workflow is started with: its one argument.
     *
     * @throws io.longhaul.engine.run.RunException when the request cannot be read; its outcome is what the caller is
     *         told
     */
    JsonNode read(Payload request);
}
