// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.plan;

/** How a task is cancelled. */
public sealed interface CancelPlan {

    /**
     * By a request with the id of the task.
     *
     * @param isOffered whether the server takes such requests
     */
    record ById(boolean isOffered) implements CancelPlan {}

    /** By a notification with the id of the task, which ends with an error of its tool then. */
    record ByNotice() implements CancelPlan {}

    /** By cancelling the call that has made the task. */
    record ByCall() implements CancelPlan {}
}
