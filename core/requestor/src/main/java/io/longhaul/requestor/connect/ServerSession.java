// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.connect;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialect.Hello;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.RequestorSettings;
import io.longhaul.requestor.exchange.ExchangeResult;
import io.longhaul.requestor.exchange.HttpClientConnection;
import io.longhaul.requestor.exchange.ServerConnection;
import io.longhaul.requestor.plan.ClientPlanner;
import io.longhaul.requestor.plan.ServerManner;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A session as agreed with a server.
 *
 * @param dialect    the dialect of the session's generation
 * @param hello      the server's description of itself
 * @param manner     how the client deals with the server in this session
 * @param id         the id of the session, where the server gave one
 * @param connection the connection on which the session was agreed, and without which the session is void
 * @param isOthers   whether another process opened the session, and may go on in it
 */
public record ServerSession(
        ClientDialect dialect,
        Hello hello,
        ServerManner manner,
        Optional<String> id,
        ServerConnection connection,
        boolean isOthers) {

    ServerSession(
            ClientDialect dialect, Hello hello, Optional<String> id, ServerConnection connection, boolean isOthers) {
        this(dialect, hello, ClientPlanner.manner(dialect, hello.tasks()), id, connection, isOthers);
    }

    /** The headers of a message other than a call. */
    public Map<String, String> headers() {
        return with(dialect.headers());
    }

    /** Headers of a call, with the header that names the session. */
    public Map<String, String> with(Map<String, String> headers) {
        var all = new HashMap<>(headers);
        id.ifPresent(value -> all.put(HttpClientConnection.SESSION, value));
        return all;
    }

    /** Sends a call that has no response. */
    public ExchangeResult tell(Call call, RequestorSettings settings) throws TransportException {
        var out = dialect.encode(call, settings.profile(dialect));
        var message = new JsonRpcMessage.Notification(out.method(), out.params());
        return connection.post(JsonRpcCodec.encode(message), with(out.headers()));
    }

    public ExchangeResult answer(JsonRpcMessage response) throws TransportException {
        return connection.post(JsonRpcCodec.encode(response), headers());
    }
}
