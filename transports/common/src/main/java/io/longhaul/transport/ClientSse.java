// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.client.ClientTransport;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.protocol.transport.client.TransportException.Kind;
import io.longhaul.transport.reply.HttpReply;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of HTTP with SSE, the transport of 2024-11-05. The stream of a GET brings all messages, and first
 * the address for POST. The stream has no limit of silence, since its end is the end of the session. Thread-safe.
 */
final class ClientSse implements ClientTransport {

    private final ClientHttp http;
    private final URI server;
    private volatile @Nullable URI endpoint;

    ClientSse(ClientHttp http, URI server) {
        this.http = http;
        this.server = server;
    }

    @Override
    public boolean isLasting() {
        return true;
    }

    /**
     * Opens the stream, and waits for its first event: "When a client connects, the server MUST send an {@code
     * endpoint} event containing a URI for the client to use for sending messages."
     *
     * @return a reply without success where the server opens no stream
     */
    @Override
    public ServerReply listen(Map<String, String> headers) throws TransportException {
        var reply = http.listen(headers, Duration.ZERO);
        if (reply.status() / 100 == 2) {
            try {
                endpoint = endpoint(reply);
            } catch (TransportException | RuntimeException e) {
                reply.close();
                throw e;
            }
        }
        return reply;
    }

    private URI endpoint(HttpReply reply) throws TransportException {
        try {
            var told = reply.first("endpoint")
                    .orElseThrow(() -> unusable(" opens no stream that tells where to post", null));
            var to = server.resolve(told.strip());
            if (!origin(to).equals(origin(server))) {
                throw unusable(" wants messages to be posted to " + to + ", which is another server", null);
            }
            return to;
        } catch (IllegalArgumentException e) {
            throw unusable(" wants messages to be posted to what is no address", e);
        } catch (IOException e) {
            throw new TransportException(Kind.LOST, "The connection to " + server + " broke off: try again", e);
        }
    }

    private static String origin(URI address) {
        int usual = "https".equalsIgnoreCase(address.getScheme()) ? 443 : 80;
        int port = address.getPort() < 0 ? usual : address.getPort();
        return (address.getScheme() + "://" + address.getHost() + ":" + port).toLowerCase(Locale.ROOT);
    }

    private TransportException unusable(String why, @Nullable Exception cause) {
        return new TransportException(Kind.UNUSABLE, server + why + ": check that it is an MCP server", cause);
    }

    @Override
    public ServerReply send(Json message, Map<String, String> headers) throws TransportException {
        var to = endpoint;
        if (to == null) {
            throw new TransportException(Kind.UNREACHABLE, server + " has not told where to post yet");
        }
        return http.send(to, message, headers);
    }

    @Override
    public ServerReply leave(Map<String, String> headers) {
        return ClientStdio.Nothing.INSTANCE;
    }

    @Override
    public void close() {
        http.close();
    }
}
