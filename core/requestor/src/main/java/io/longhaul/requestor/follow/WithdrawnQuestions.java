// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.requestor.call.Requestor;

/** The end of the questions of a task, when the task is followed no further. */
final class WithdrawnQuestions {

    private WithdrawnQuestions() {}

    /** Withdraws the questions of the task when {@code follower} stops; tasks of questions end only with the task. */
    static TaskFollower after(Requestor requestor, TaskFollower follower) {
        return (taskId, last) -> {
            try {
                var end = follower.follow(taskId, last);
                if (end.isTaskOver()) {
                    requestor.endQuestionsOf(taskId);
                }
                return end;
            } finally {
                requestor.leaveQuestionsOf(taskId);
            }
        };
    }
}
