// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

/** What became of the start of a workflow. */
sealed interface Begin {

    /** It runs, or has run, under this run id. */
    record Found(String run) implements Begin {}

    /** Temporal has refused it. */
    record Refused(String why) implements Begin {}

    /** Nobody here can tell whether it was begun; the same start is sent again. */
    record Unanswered(String why) implements Begin {}
}
