// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal.request;

/** The result of the start of a workflow. */
public sealed interface WorkflowStart {

    /** The workflow runs, or has run, under this run id. */
    record Found(String run) implements WorkflowStart {}

    /** Temporal has refused the start. */
    record Refused(String why) implements WorkflowStart {}

    /** It is unknown whether the workflow was begun; the same start is sent again. */
    record Unanswered(String why) implements WorkflowStart {}
}
