// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.engine.task.Payload;
import tools.jackson.databind.node.ObjectNode;

/** Reads the arguments of a call out of its request. Thread-safe; whoever knows the format of requests provides it. */
@FunctionalInterface
public interface HttpArguments {

    /**
     * The arguments by their names.
     *
     * @throws io.longhaul.engine.run.RunException when the request cannot be read; its outcome is what the caller is
     *         told
     */
    ObjectNode read(Payload request);
}
