package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Keep;
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
    record Encoded(JsonRpcMessage response, int httpStatus) {}

    /**
     * Plain facts of a generation.
     *
     * @param sessions          whether it is spoken in sessions that an {@code initialize} opens
     * @param resumable         whether its streams can be resumed by the id of their last event
     * @param asksByRequest     whether a server may send requests to its client
     * @param closingCancels    whether closing the response of a request cancels it
     * @param comesBack         whether its clients come back to a stream that the server has closed half-way
     * @param tasks             of those who know of tasks
     */
    record Traits(
            boolean sessions,
            boolean resumable,
            boolean asksByRequest,
            boolean closingCancels,
            boolean comesBack,
            TaskTraits tasks) {}

    /**
     * How a generation goes about tasks.
     *
     * @param told            whether a task's session is told of it on its own streams, unless a request waits for the
     *                        outcome
     * @param cancelledByCall whether giving up the call that created a task cancels it even after it was answered
     * @param aliases         the space of the ids that requestors choose for their tasks, or null where they choose
     *                        none
     * @param ownStream       whether what is told of a task goes to the stream of the call that created it while the
     *                        client has come back to that
     * @param keeps           what the time is counted from for which a task is kept where nobody says how long
     */
    record TaskTraits(
            boolean told, boolean cancelledByCall, @Nullable String aliases, boolean ownStream, Keep.From keeps) {
        /** It has no tasks, or none that are told of. */
        public static final TaskTraits NONE = new TaskTraits(false, false, null);

        /** Kept from their creation, and told of on the session's own streams at most. */
        public TaskTraits(boolean told, boolean cancelledByCall, @Nullable String aliases) {
            this(told, cancelledByCall, aliases, false, Keep.From.CREATION);
        }
    }
}
