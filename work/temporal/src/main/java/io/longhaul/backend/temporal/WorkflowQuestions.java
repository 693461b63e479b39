// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Payload;

/**
 * Asks callers the questions of workflows. Thread-safe. The module that knows the capabilities of callers provides an
 * implementation.
 */
@FunctionalInterface
public interface WorkflowQuestions {

    /**
     * Asks with {@link Run#ask}, with exactly this key, method and params, and blocks until the answer comes.
     *
     * @return the answer for the workflow, in JSON
     */
    Payload ask(Run run, Run.Question question) throws InterruptedException;
}
