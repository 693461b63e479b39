// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskSpec;

/** Lets external work call the long-running tools of its server, as {@link TaskContext#call} does. Thread-safe. */
@FunctionalInterface
public interface ToolCalls {

    /**
     * The call of a tool, for {@link Run#call}.
     *
     * @param caller    the task that calls
     * @param arguments a JSON object
     * @throws IllegalArgumentException where there is no such tool, or the tool does not accept these arguments
     */
    Run.Call call(TaskSpec caller, String tool, Payload arguments);
}
