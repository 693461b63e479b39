// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.plan;

import io.longhaul.protocol.call.Call;

/**
 * How a task is followed to its outcome.
 *
 * @param by    what brings the outcome
 * @param shown what a poll shows of a task
 */
public record FollowPlan(By by, Shown shown) {

    /** What brings the outcome of a task. */
    public enum By {
        /** Polls, and a request after them where they do not show the outcome. */
        POLLS,
        /** One request, which waits however long. */
        ONE_WAIT,
        /** Requests that each wait for a while, in a session that has joined the task. */
        JOINED_WAITS
    }

    /** What a poll shows of a task. */
    public enum Shown {
        NOTHING,
        STATE,
        /** The state, the questions, which any client answers by the id of the task, and the outcome. */
        ALL
    }

    /** Whether polls show the questions and the outcome. */
    public boolean showsAll() {
        return shown == Shown.ALL;
    }

    /** Whether polls show the state. */
    public boolean showsState() {
        return shown != Shown.NOTHING;
    }

    /** Whether the outcome of a task can be had by the id of the task. */
    public boolean showsOutcome() {
        return showsState() || by == By.JOINED_WAITS;
    }

    /** The request for the outcome of a task that has ended. */
    public Call outcome(String taskId) {
        return by == By.POLLS ? new Call.GetOutcome(taskId) : new Call.AwaitOutcome(taskId);
    }
}
