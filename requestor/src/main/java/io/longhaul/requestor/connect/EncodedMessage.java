package io.longhaul.requestor.connect;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.requestor.RequestorSettings;
import java.util.Map;

/** A message without a response, in the words of a session. */
public record EncodedMessage(Json message, Map<String, String> headers) {

    /** A response to a request of the server. */
    public static EncodedMessage response(ServerSession session, JsonRpcMessage response) {
        return new EncodedMessage(JsonRpcCodec.encode(response), session.headers());
    }

    /** A call that has no response. */
    public static EncodedMessage notification(ServerSession session, Call call, RequestorSettings settings) {
        var dialect = session.dialect();
        var out = dialect.encode(call, settings.profile(dialect));
        return new EncodedMessage(
                JsonRpcCodec.encode(new JsonRpcMessage.Notification(out.method(), out.params())),
                session.with(out.headers()));
    }
}
