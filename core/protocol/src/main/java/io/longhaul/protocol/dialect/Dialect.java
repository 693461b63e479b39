// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of one generation of the protocol: decodes requests into neutral calls, and encodes neutral
 * responses. Implementations are stateless and thread-safe, without clock or sockets.
 */
public interface Dialect {

    /** The stable name, which is stored in the origin of tasks: {@code plain-…} or {@code tasks-…}. */
    String name();

    /** The properties of this generation that the transport and the receiver must know. */
    Traits traits();

    /** Reads a request or notification. A malformed request becomes {@link Decoded.Bad}. */
    Decoded decode(String method, Json params);

    /**
     * Whether the tool is listed for a client with these capabilities. A tool that the client cannot call is not
     * listed.
     */
    default boolean shows(CallResponse.ToolInfo tool, Capabilities client) {
        return true;
    }

    /** The response to {@code call}, with its HTTP status. */
    Encoded encode(RequestId id, Call call, CallResponse response);

    /**
     * The notification for {@code notice}, or null where this generation has no words for it.
     *
     * @param subscription the id of the listen request on whose stream the notification goes out, or null
     */
    JsonRpcMessage.@Nullable Notification encode(Notice notice, @Nullable RequestId subscription);

    /**
     * A question of the server as a request to the client, or null where this generation has no such requests.
     *
     * @param taskId the task that asks, or null
     */
    JsonRpcMessage.@Nullable Request encode(RequestId id, CallResponse.Question question, @Nullable String taskId);

    /** The task that the answer of a client to a question names; empty where the answer names none in these words. */
    default Optional<String> answeredTask(Json result) {
        return Optional.empty();
    }

    /** The result of decoding a message. */
    sealed interface Decoded {
        record Good(Call call) implements Decoded {}

        record Bad(RpcError error, int httpStatus) implements Decoded {}
    }

    /** A response with its HTTP status. */
    record Encoded(JsonRpcMessage response, int httpStatus) {

        public static Encoded result(RequestId id, Json result) {
            return new Encoded(new JsonRpcMessage.Result(id, result), 200);
        }

        public static Encoded failure(RequestId id, RpcError error) {
            return new Encoded(new JsonRpcMessage.Failure(id, error), 200);
        }
    }

    /**
     * How a generation uses sessions, streams and tasks.
     *
     * @param conversation whether a request belongs to a session
     * @param streams      what a client does after a stream breaks
     * @param tasks        how clients are told of tasks, and cancel them
     */
    record Traits(Conversation conversation, Streams streams, TaskTraits tasks) {

        /** Whether the generation has sessions that an {@code initialize} opens. */
        public boolean sessions() {
            return conversation == Conversation.SESSION;
        }

        /** Whether a server may send requests to its client. */
        public boolean asksByRequest() {
            return conversation == Conversation.SESSION;
        }

        /** Whether closing the response of a request cancels the request. */
        public boolean closingCancels() {
            return conversation == Conversation.REQUEST;
        }

        /** Whether streams of the generation can be resumed by the id of their last event. */
        public boolean resumable() {
            return streams != Streams.LOST;
        }

        /** Whether clients of the generation resume a stream that the server has closed before its end. */
        public boolean comesBack() {
            return streams == Streams.POLLED;
        }
    }

    /** Whether a request belongs to a session. */
    enum Conversation {
        /**
         * A request belongs to a session. The server sends requests of its own, and a notification cancels a request.
         */
        SESSION,
        /**
         * A request stands alone. Results bring the questions, and a client cancels a request by closing its response.
         */
        REQUEST
    }

    /** What a client does after a stream breaks. */
    enum Streams {
        /** The client sends its request again. */
        LOST,
        /** The client resumes the stream by the id of the last event. */
        RESUMED,
        /** The client resumes the stream also where the server has closed it before its end. */
        POLLED
    }

    /**
     * How a generation reports and cancels tasks. {@link Call.TaskWish} says how a task is created and kept.
     *
     * @param told       on which streams a session is told of its task, unless a request waits for the outcome
     * @param cancelling how a client cancels a task
     * @param asked      where a client finds the questions of a task
     * @param aliases    the space of the task ids that requestors choose, or null where requestors choose none
     */
    record TaskTraits(
            NotifiedOn told,
            Cancelling cancelling,
            AskedOn asked,
            @Nullable String aliases) {
        /** A generation that has no tasks, or sends nothing about tasks by itself. */
        public static final TaskTraits NONE =
                new TaskTraits(NotifiedOn.NOWHERE, Cancelling.BY_REQUEST, AskedOn.STREAMS, null);
    }

    /** On which streams a session is told of its task. */
    enum NotifiedOn {
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
    enum AskedOn {
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

    /** How a task is cancelled. */
    enum Cancelling {
        /** By cancelling the call that created the task, also after the call was answered. */
        BY_CALL,
        /** By a request with the id of the task. */
        BY_REQUEST,
        /** By a notification with the id of the task. */
        BY_NOTIFICATION
    }
}
