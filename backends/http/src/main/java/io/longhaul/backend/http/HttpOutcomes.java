// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.engine.run.JobEnd;
import io.longhaul.engine.task.Outcome;
import java.nio.charset.StandardCharsets;

/** Puts what a job gave into the format of results. Thread-safe; whoever knows that format provides it. */
@FunctionalInterface
public interface HttpOutcomes {

    /** The outcome of a job that came to its end, or that the API has refused or lost. */
    Outcome write(JobEnd end);

    /**
     * The outcome of a job whose result is read at an address of this server; a sentence with that address unless
     * overridden.
     */
    default Outcome linked(ResultLink link) {
        var said = "The result is at " + link.uri() + " until " + link.until() + ".";
        return write(new JobEnd(link.task(), true, said.getBytes(StandardCharsets.UTF_8), "text/plain"));
    }

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
