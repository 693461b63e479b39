// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.engine.run.JobEnd;
import io.longhaul.engine.task.Outcome;

/** Puts what a job gave into the format of results. Thread-safe; whoever knows that format provides it. */
@FunctionalInterface
public interface HttpOutcomes {

    /** The outcome of a job that came to its end, or that the API has refused or lost. */
    Outcome write(JobEnd end);

    /**
     * The outcome of a call for which nothing was sent, because its arguments make no request; an invalid-params error
     * unless overridden.
     *
     * @param why a sentence or two for the caller: which one is wrong, and what to do
     */
    default Outcome refused(String why) {
        return new Outcome.Error(-32602, why, null);
    }
}
