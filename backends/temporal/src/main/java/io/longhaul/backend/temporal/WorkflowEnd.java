// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

/** What waiting for the end of a run of a workflow has shown. */
sealed interface WorkflowEnd {

    /** It goes on. */
    record Open() implements WorkflowEnd {}

    /** It goes on as another run of the same workflow. */
    record Continued(String run) implements WorkflowEnd {}

    /** It has given a result. */
    @SuppressWarnings("ArrayRecordComponent")
    record Completed(byte[] body, String mediaType) implements WorkflowEnd {}

    /** It has failed by itself. */
    record Failed(String why) implements WorkflowEnd {}

    /** It was ended from outside, or Temporal says nothing of it any more. */
    record Gone(String why) implements WorkflowEnd {}

    /** Nothing can be told of it now. */
    record Unseen(String why) implements WorkflowEnd {}
}
