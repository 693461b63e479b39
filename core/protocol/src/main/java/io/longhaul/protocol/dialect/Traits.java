// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import org.jspecify.annotations.Nullable;

/**
 * What both sides of one generation must know of it beside its words. Each trait stands for itself: no code concludes
 * one from another, or a generation from any.
 *
 * @param sessions   whether a request belongs to a session that an {@code initialize} opens, rather than stands alone
 * @param streams    what a client does after a stream breaks
 * @param making     how a call becomes a task
 * @param following  how a client follows a task to its outcome
 * @param telling    how a client is told of a task, and asked for it
 * @param cancelling how a client cancels a task
 */
public record Traits(
        boolean sessions, Streams streams, Making making, Following following, Telling telling, Cancelling cancelling) {

    /** A generation without tasks. */
    public static Traits plain(boolean sessions, Streams streams) {
        return new Traits(
                sessions, streams, Making.NEVER, Following.BY_THE_CALL, Telling.NOTHING, Cancelling.BY_OPEN_CALL);
    }

    /** The same requests and streams, with tasks. */
    public Traits with(Making made, Following followed, Telling told, Cancelling cancelled) {
        return new Traits(sessions, streams, made, followed, told, cancelled);
    }

    /** Whether streams of the generation can be resumed by the id of their last event. */
    public boolean resumable() {
        return streams != Streams.LOST;
    }

    /** What a client does after a stream breaks. */
    public enum Streams {
        /** The client sends its request again. */
        LOST,
        /** The client resumes the stream by the id of the last event. */
        RESUMED,
        /** The client resumes the stream also where the server has closed it before its end. */
        POLLED
    }

    /**
     * How a call becomes a task.
     *
     * @param by      which side decides that, and how the client learns of the task
     * @param kept    when the time begins for which a creation asks to keep the task; null where a creation cannot ask
     * @param aliases the space of the task ids that requestors choose, or null where requestors choose none
     */
    public record Making(
            Created by,
            Call.Keep.@Nullable From kept,
            @Nullable String aliases) {
        /** No call becomes a task. */
        public static final Making NEVER = new Making(Created.NEVER, null, null);
    }

    /** How a client follows a task to its outcome. */
    public enum Following {
        /** Only the response to the call tells the outcome. */
        BY_THE_CALL,
        /**
         * A poll shows everything: questions, which are answered with the id of the task, and in the end the outcome.
         */
        LOOKING,
        /** A poll shows the state; another request fetches the outcome. */
        LOOKING_THEN_ASKING,
        /** A request waits for the outcome, however long that takes; a poll shows the state. */
        WAITING,
        /** A request waits for the outcome for a while, and is repeated; polls of the state do not exist. */
        WAITING_FOR_A_WHILE
    }

    /**
     * How a client is told of a task, and asked for it.
     *
     * @param told  on which streams a session is told of its task, unless a request waits for the outcome
     * @param asked where a client finds the questions of a task
     */
    public record Telling(NotifiedOn told, AskedOn asked) {
        /** Nothing is sent about a task by itself. */
        public static final Telling NOTHING = new Telling(NotifiedOn.NOWHERE, AskedOn.STREAMS);
    }

    /** On which streams a session is told of its task. */
    public enum NotifiedOn {
        NOWHERE,
        /** On the streams of the session. */
        IN_SESSION,
        /**
         * On the stream of the call that created the task, if the client has reconnected to that stream; else on the
         * streams of the session.
         */
        ON_CALL
    }

    /** Where a client finds the questions of a task. */
    public enum AskedOn {
        /** On a request that waits for the task, else on the streams on which the session is told. */
        STREAMS,
        /**
         * As {@link #STREAMS}, but the clients first see the state in a poll, and then open a request that waits: one
         * poll later.
         */
        STREAMS_AFTER_A_POLL,
        /** As {@link #STREAMS}, and on the stream of a status request where no other stream brings the question. */
        STREAMS_AND_LOOKS
    }

    /** How a client cancels a task. */
    public enum Cancelling {
        /** By cancelling the call that created the task, until the call is answered. */
        BY_OPEN_CALL,
        /** By cancelling the call that created the task, also after the call was answered. */
        BY_CALL,
        /** By a request with the id of the task. */
        BY_REQUEST,
        /** By a notification with the id of the task. */
        BY_NOTIFICATION
    }
}
