// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import org.jspecify.annotations.Nullable;

/**
 * One generation of the protocol, from the server's side: reads its requests into neutral calls, and says neutral
 * answers in its words. Implementations are stateless and thread-safe, without clock or sockets.
 */
public interface Dialect {

    /** Stable name, written into the origin of tasks: {@code plain-…} or {@code tasks-…}. */
    String name();

    /** What the transport and the receiver must know of this generation. */
    Traits traits();

    /** Reads a request or notification. A request that is not to the letter becomes {@link Decoded.Bad}. */
    Decoded decode(String method, Json params);

    /** Whether a tool is listed for a client that can do this; one that it has no way to call is not. */
    default boolean shows(Answer.ToolInfo tool, Capabilities client) {
        return true;
    }

    /** The response to {@code call}, with its HTTP status. */
    Encoded encode(RequestId id, Call call, Answer answer);

    /**
     * The notification for {@code notice}, or null where this generation has no words for it.
     *
     * @param subscription the id of the listen request on whose stream it goes, or null
     */
    JsonRpcMessage.@Nullable Notification encode(Notice notice, @Nullable RequestId subscription);

    /**
     * A question of the server as a request to the client, or null where this generation has none.
     *
     * @param taskId the task that asks, or null
     */
    JsonRpcMessage.@Nullable Request encode(RequestId id, Answer.Question question, @Nullable String taskId);

    /** What a message was read into. */
    sealed interface Decoded {
        record Good(Call call) implements Decoded {}

        record Bad(RpcError error, int httpStatus) implements Decoded {}
    }

    /** A response with the HTTP status it is sent under. */
    record Encoded(JsonRpcMessage response, int httpStatus) {

        public static Encoded result(RequestId id, Json result) {
            return new Encoded(new JsonRpcMessage.Result(id, result), 200);
        }

        public static Encoded failure(RequestId id, RpcError error) {
            return new Encoded(new JsonRpcMessage.Failure(id, error), 200);
        }
    }

    /**
     * How a generation converses, and goes about tasks.
     *
     * @param conversation what a request belongs to
     * @param streams      what becomes of a stream that breaks
     * @param tasks        how clients are told of tasks, and cancel them
     */
    record Traits(Conversation conversation, Streams streams, TaskTraits tasks) {

        /** Whether it is spoken in sessions that an {@code initialize} opens. */
        public boolean sessions() {
            return conversation == Conversation.SESSION;
        }

        /** Whether a server may send requests to its client. */
        public boolean asksByRequest() {
            return conversation == Conversation.SESSION;
        }

        /** Whether closing the response of a request cancels it. */
        public boolean closingCancels() {
            return conversation == Conversation.REQUEST;
        }

        /** Whether its streams can be resumed by the id of their last event. */
        public boolean resumable() {
            return streams != Streams.LOST;
        }

        /** Whether its clients come back to a stream that the server has closed half-way. */
        public boolean comesBack() {
            return streams == Streams.POLLED;
        }
    }

    /** What a request belongs to. */
    enum Conversation {
        /** A session: the server sends requests of its own, and a notification cancels a request. */
        SESSION,
        /** Nothing: results bring the questions, and a client cancels a request by closing its response. */
        REQUEST
    }

    /** What becomes of a stream that breaks. */
    enum Streams {
        /** The client asks again. */
        LOST,
        /** The client resumes it by the id of the last event. */
        RESUMED,
        /** The client resumes it also where the server has closed it half-way. */
        POLLED
    }

    /**
     * How a generation goes about tasks; how a task is created and kept stands in {@link Call.TaskWish}.
     *
     * @param told      on which streams a session is told of its task, unless a request waits for the outcome
     * @param cancelled how a client cancels a task
     * @param asked     where a client finds the questions of a task
     * @param aliases   the space of the ids that requestors choose for their tasks, or null where they choose none
     */
    record TaskTraits(
            Told told,
            Cancelled cancelled,
            AskedOn asked,
            @Nullable String aliases) {
        /** A generation that has no tasks, or tells nothing of them by itself. */
        public static final TaskTraits NONE = new TaskTraits(Told.NOWHERE, Cancelled.BY_ID, AskedOn.STREAMS, null);
    }

    /** On which streams a session is told of its task. */
    enum Told {
        NOWHERE,
        /** On those of the session. */
        IN_SESSION,
        /** On the stream of the call that created the task, if the client has come back to it; else in the session. */
        ON_CALL
    }

    /** Where a client finds the questions of a task. */
    enum AskedOn {
        /** On a request that waits for the task, else on the streams on which the session is told. */
        STREAMS,
        /** The same, but its clients find the state first by a poll, and open a request that waits: one poll later. */
        STREAMS_AFTER_A_POLL,
        /** The same, and on the stream of a look at the task where no other one brings the question. */
        STREAMS_AND_LOOKS
    }

    /** How a client cancels a task. */
    enum Cancelled {
        /** By the id of the task. */
        BY_ID,
        /** By giving up the call that created the task, also after the call was answered. */
        BY_CALL
    }
}
