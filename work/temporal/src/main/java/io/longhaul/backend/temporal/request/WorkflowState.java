// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal.request;

/** The result of waiting for the end of a run of a workflow. */
public sealed interface WorkflowState {

    /** The run goes on. */
    record Open() implements WorkflowState {}

    /** The workflow goes on as another run. */
    record Continued(String run) implements WorkflowState {}

    /** The run has given a result. */
    @SuppressWarnings("ArrayRecordComponent")
    record Completed(byte[] body, String mediaType) implements WorkflowState {}

    /**
     * The run has ended without a result, by itself or from outside.
     *
     * @param isRetried whether a retry may succeed: the run has failed by itself
     */
    record Failed(String why, boolean isRetried) implements WorkflowState {

        /** An end that a retry would repeat, or that somebody wanted. */
        public Failed(String why) {
            this(why, false);
        }
    }

    /** Temporal does not know the run any more. */
    record Gone(String why) implements WorkflowState {}

    /** The state of the run is unknown at present. */
    record Unseen(String why) implements WorkflowState {}
}
