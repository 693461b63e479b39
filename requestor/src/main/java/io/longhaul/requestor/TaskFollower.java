package io.longhaul.requestor;

import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.ClientDialect.Following;
import io.longhaul.protocol.rpc.RpcError;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Follows one task of a server until its end. Thread-safe in so far as each {@link #follow} is its own. */
public interface TaskFollower {

    /**
     * Follows a task until its end is known, on the caller's thread.
     *
     * @param taskId the id that the server gave it
     * @param last   what was last seen of it just now, so that there is no hurry to look again; or empty
     */
    End follow(String taskId, Optional<TaskView> last) throws InterruptedException;

    /**
     * A follower in the way of the generation that {@code requestor} speaks, which also answers the task's
     * questions.
     *
     * @param creator the call that made the task, or null where that was another client's
     */
    static TaskFollower answering(Requestor requestor, Events events, @Nullable Ask creator) {
        return switch (requestor.dialect().traits().tasks().following()) {
            case WAITING -> new WaitingFollower(requestor, events);
            case WAITING_FOR_A_WHILE -> AttendingFollower.joining(requestor, events, creator);
            case LOOKING, LOOKING_THEN_ASKING, BY_THE_CALL -> new PollingFollower(requestor, events, true);
        };
    }

    /**
     * A follower of a task that another client made, and whose questions may be put to that one alone: where the task
     * waits for input, they are looked for and answered in another conversation.
     *
     * @param other which shows questions and takes answers by the task's id; empty where there is none
     */
    static TaskFollower returning(Requestor requestor, Events events, Supplier<Optional<Requestor>> other) {
        return requestor.dialect().traits().tasks().following() == Following.LOOKING_THEN_ASKING
                ? new PollingFollower(requestor, events, true, other)
                : answering(requestor, events, null);
    }

    /** A follower that only looks on. */
    static TaskFollower watching(Requestor requestor, Events events) {
        return requestor.dialect().traits().tasks().following() == Following.WAITING_FOR_A_WHILE
                ? AttendingFollower.waiting(requestor, events)
                : new PollingFollower(requestor, events, false);
    }

    /**
     * What a follower tells while it follows. Called by several threads, never at the same time for one task's
     * status.
     */
    interface Events {

        /** The task was looked at; it may be as it was. */
        void seen(TaskView task);

        /** One sentence for the user: something is in the way, and it goes on. */
        void trouble(String sentence);
    }

    /** Why a follower stopped. */
    sealed interface End {

        /** The task has ended. */
        record Ended(TaskView.End end) implements End {}

        /** The server does not know the task, or refuses to tell. */
        record Refused(RpcError error) implements End {}

        /** The server was away for too long, or cannot be understood; one sentence for the user. */
        record Lost(String reason) implements End {}
    }
}
