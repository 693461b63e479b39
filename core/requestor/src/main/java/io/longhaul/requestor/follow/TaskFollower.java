// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.plan.FollowPlan.By;
import java.util.Optional;
import java.util.function.Supplier;

/** Follows one task of a server until its end. */
public interface TaskFollower {

    /**
     * Follows a task until its end is known, on the caller's thread.
     *
     * @param taskId the id that the server gave the task
     * @param last   the task that the server has made just now, so that the first poll can wait; else empty
     */
    FollowResult follow(String taskId, Optional<TaskView> last) throws InterruptedException;

    /**
     * A follower for the generation that {@code requestor} speaks, which also answers the task's questions.
     *
     * @param creation the call that made the task
     */
    static TaskFollower answering(Requestor requestor, Events events, Creation creation) {
        return answering(requestor, events, creation, Optional::empty);
    }

    /**
     * A follower of a task that another client made. The server may send the questions of the task only to that client.
     * So this follower polls for the questions, and answers them, through another requestor.
     *
     * @param other shows questions and takes answers by the task's id; empty where there is none
     */
    static TaskFollower returning(Requestor requestor, Events events, Supplier<Optional<Requestor>> other) {
        return answering(requestor, events, Creation.elsewhere(), other);
    }

    private static TaskFollower answering(
            Requestor requestor, Events events, Creation creation, Supplier<Optional<Requestor>> other) {
        return switch (requestor.manner().follow().by()) {
            case ONE_WAIT -> new AwaitingFollower(requestor, events, creation);
            case JOINED_WAITS -> new JoiningFollower(requestor, events, true, creation);
            case POLLS -> new PollingFollower(requestor, events, true, creation, other);
        };
    }

    /** A follower that answers no questions. */
    static TaskFollower watching(Requestor requestor, Events events) {
        return requestor.manner().follow().by() == By.JOINED_WAITS
                ? new JoiningFollower(requestor, events, false, Creation.elsewhere())
                : new PollingFollower(requestor, events, false, Creation.elsewhere(), Optional::empty);
    }

    /** Receives what a follower sees, on several threads. Calls of {@link #seen} never overlap. */
    @FunctionalInterface
    interface Events {

        /** A view of the task, which may be unchanged. */
        void seen(TaskView task);

        /** The server told of the task's progress, without its state. */
        default void noticed(Notice notice) {}

        /** A trouble, after which the follower goes on; one sentence for the user. */
        default void trouble(String sentence) {}
    }
}
