// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.json.ParamsException;
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

    /** What the transport and the receiver must know of this generation. */
    Traits traits();

    /** Reads a request or notification; {@link Decoded.Bad} where it is malformed, or has no place here. */
    default Decoded decode(String method, Json params) {
        try {
            return new Decoded.Good(read(method, Params.of(params)));
        } catch (ParamsException e) {
            return new Decoded.Bad(new RpcError(RpcError.INVALID_PARAMS, e.getMessage()), 200);
        } catch (UnreadableCallException e) {
            return new Decoded.Bad(e.error(), e.httpStatus());
        }
    }

    /**
     * Reads a request or notification.
     *
     * @throws ParamsException where the params do not fit the method
     * @throws UnreadableCallException where the generation does not have the method, or not for this request
     */
    Call read(String method, Params params);

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

    /** The task that params or a result of the peer name; empty where they name none in these words. */
    default Optional<String> relatedTask(Json object) {
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
}
