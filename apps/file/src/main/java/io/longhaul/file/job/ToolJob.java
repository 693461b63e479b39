// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.job;

import io.longhaul.engine.run.Backend;
import io.longhaul.file.value.CallValues;
import java.util.Optional;
import java.util.function.Function;

/**
 * The job that a tool runs between its questions. Thread-safe.
 *
 * @param isBoundToNode whether only the node that has started the job can go on with it
 * @param refusal       why a call with these values is refused; arguments whose values are still missing are not
 *                      checked
 * @param backend       runs the job with these values
 */
record ToolJob(
        JobResults results,
        boolean isBoundToNode,
        Function<CallValues, Optional<String>> refusal,
        Function<CallValues, Backend> backend) {

    /** A job of another system, which refuses values itself. */
    static ToolJob elsewhere(JobResults results, Function<CallValues, Backend> backend) {
        return new ToolJob(results, false, values -> Optional.empty(), backend);
    }
}
