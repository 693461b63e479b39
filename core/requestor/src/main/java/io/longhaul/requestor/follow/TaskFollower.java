// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.plan.FollowPlan.By;
import java.util.Optional;
import java.util.function.Supplier;

/** Follows one task of a server, once. */
public abstract class TaskFollower {

    final String taskId;
    final Requestor requestor;
    final Events events;
    final Creation creation;
    final boolean answers;

    TaskFollower(String taskId, Requestor requestor, Events events, Creation creation, boolean answers) {
        this.taskId = taskId;
        this.requestor = requestor;
        this.events = new OrderedEvents(events, this::shown);
        this.creation = creation;
        this.answers = answers;
    }

    /**
     * A follower for the generation that {@code requestor} speaks, which also answers the task's questions.
     *
     * @param taskId   the id that the server gave the task
     * @param creation how this client has made the task
     */
    public static TaskFollower answering(String taskId, Requestor requestor, Events events, Creation creation) {
        return answering(taskId, requestor, events, creation, Optional::empty);
    }

    /**
     * A follower of a task that another client made. The server may send the questions of the task only to that client.
     * So this follower polls for the questions, and answers them, through another requestor.
     *
     * @param other shows questions and takes answers by the task's id; empty where there is none
     */
    public static TaskFollower returning(
            String taskId, Requestor requestor, Events events, Supplier<Optional<Requestor>> other) {
        return answering(taskId, requestor, events, Creation.elsewhere(), other);
    }

    private static TaskFollower answering(
            String taskId, Requestor requestor, Events events, Creation creation, Supplier<Optional<Requestor>> other) {
        return switch (requestor.manner().follow().by()) {
            case ONE_WAIT -> new AwaitingFollower(taskId, requestor, events, creation);
            case JOINED_WAITS -> new JoiningFollower(taskId, requestor, events, creation, true);
            case POLLS -> new PollingFollower(taskId, requestor, events, creation, Optional.of(other));
        };
    }

    /** A follower that answers no questions. */
    public static TaskFollower watching(String taskId, Requestor requestor, Events events) {
        return requestor.manner().follow().by() == By.JOINED_WAITS
                ? new JoiningFollower(taskId, requestor, events, Creation.elsewhere(), false)
                : new PollingFollower(taskId, requestor, events, Creation.elsewhere(), Optional.empty());
    }

    /**
     * Follows the task until its end is known, on the caller's thread. The questions of the task are withdrawn then;
     * the client's tasks for them end only with the task.
     */
    public final FollowResult follow() throws InterruptedException {
        if (!answers) {
            return end();
        }
        requestor.listen();
        try {
            var end = end();
            if (end.isTaskOver()) {
                requestor.endQuestionsOf(taskId);
            }
            return end;
        } finally {
            requestor.leaveQuestionsOf(taskId);
        }
    }

    abstract FollowResult end() throws InterruptedException;

    /** Takes each view of the task that is no older than those before, one at a time; must not block. */
    void shown(TaskView task) {}

    /** Receives what a follower sees, on several threads. Calls of {@link #seen} never overlap. */
    @FunctionalInterface
    public interface Events {

        /** A view of the task, which may be unchanged. */
        void seen(TaskView task);

        /** The server told of the task's progress, without its state. */
        default void noticed(Notice notice) {}

        /** A trouble, after which the follower goes on; one sentence for the user. */
        default void trouble(String sentence) {}
    }
}
