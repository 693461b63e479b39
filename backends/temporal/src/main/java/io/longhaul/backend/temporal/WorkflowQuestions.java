// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Payload;

/** Puts the questions of workflows to callers. Thread-safe; whoever knows what a caller can be asked provides it. */
@FunctionalInterface
public interface WorkflowQuestions {

    /**
     * Asks by {@link Run#ask}, with exactly this key, method and params, and blocks until the answer is there.
     *
     * @return the answer as the workflow gets it, in JSON
     */
    Payload ask(Run run, Run.Question question) throws InterruptedException;
}
