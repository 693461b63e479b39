// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.backend.http.address.ResultLink;
import io.longhaul.engine.run.RemoteResult;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import java.nio.charset.StandardCharsets;

/**
 * Converts the end of a job to the format of results. Thread-safe. The module that knows that format provides an
 * implementation.
 */
@FunctionalInterface
public interface HttpOutcomes {

    /** The outcome of a job that has ended, or that the API has refused or lost. */
    Outcome write(RemoteResult end);

    /**
     * The outcome of a job whose result can be downloaded at an address of this server; by default a sentence with that
     * address.
     */
    default Outcome linked(ResultLink link) {
        var said = "The result is at " + link.uri() + " until " + link.until() + ".";
        return write(new RemoteResult(link.task(), true, said.getBytes(StandardCharsets.UTF_8), "text/plain"));
    }

    /** One piece of partial output; by default plain UTF-8 text. */
    default Payload partial(String lines) {
        return Payload.ofText(lines);
    }

    /**
     * The outcome of a call whose arguments give no valid request, so that nothing was sent; by default an
     * invalid-params error.
     *
     * @param why a sentence or two for the caller: which argument is wrong, and what to do
     */
    default Outcome refused(String why) {
        return Outcome.Error.invalidParams(why);
    }
}
