// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

/** The result of waiting for the end of a run of a workflow. */
sealed interface WorkflowEnd {

    /** The run goes on. */
    record Open() implements WorkflowEnd {}

    /** The workflow goes on as another run. */
    record Continued(String run) implements WorkflowEnd {}

    /** The run has given a result. */
    @SuppressWarnings("ArrayRecordComponent")
    record Completed(byte[] body, String mediaType) implements WorkflowEnd {}

    /** The run has ended without a result, by itself or from outside. */
    record Failed(String why) implements WorkflowEnd {}

    /** Temporal does not know the run any more. */
    record Gone(String why) implements WorkflowEnd {}

    /** The state of the run is unknown at present. */
    record Unseen(String why) implements WorkflowEnd {}
}
