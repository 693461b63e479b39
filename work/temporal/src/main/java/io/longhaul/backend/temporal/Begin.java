// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

/** The result of the start of a workflow. */
sealed interface Begin {

    /** The workflow runs, or has run, under this run id. */
    record Found(String run) implements Begin {}

    /** Temporal has refused the start. */
    record Refused(String why) implements Begin {}

    /** It is unknown whether the workflow was begun; the same start is sent again. */
    record Unanswered(String why) implements Begin {}
}
