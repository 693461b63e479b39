// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.exchange;

import static io.longhaul.protocol.transport.client.TransportException.Kind.UNUSABLE;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.client.ClientTransport;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.TransportException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Posts the messages of a lasting connection over HTTP with SSE. The client does not wait for the answer to the POST of
 * a request: some servers send it only after they have answered the request itself.
 */
record PostedMessages(ClientTransport transport, HttpExchanges http) implements DuplexConnection.Outlet {

    /** A 404 says that the session of the stream has ended. */
    private static final boolean IN_SESSION = true;

    ServerReply stream() throws TransportException {
        var reply = http.head(limit(), "GET", Map.of(), transport::listen);
        var end = http.ofStatus(reply, !IN_SESSION);
        if (end instanceof ExchangeResult.Accepted) {
            return reply;
        }
        reply.close();
        throw switch (end) {
            case ExchangeResult.Busy busy -> busy.trouble();
            case ExchangeResult.Rejected rejected -> new TransportException(UNUSABLE, rejected.reason());
            default -> new TransportException(UNUSABLE, "The server opens no stream.");
        };
    }

    @Override
    public ExchangeResult post(Json message, Map<String, String> headers) throws TransportException {
        try (var reply = http.head(limit(), "POST", headers, all -> transport.send(message, all))) {
            return http.ofStatus(reply, IN_SESSION);
        }
    }

    private Duration limit() {
        return http.settings().timeouts().request();
    }

    @Override
    public void request(PendingRequest request, CompletableFuture<ExchangeResult> answer) {
        Thread.ofVirtual().name("longhaul-client-post").start(() -> {
            try {
                var end = posted(request);
                if (!(end instanceof ExchangeResult.Accepted)) {
                    answer.complete(end);
                }
            } catch (TransportException | RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
    }

    private ExchangeResult posted(PendingRequest request) throws TransportException {
        var sending = http.authorized(request, "POST", request.headers, all -> transport.send(request.message, all));
        try (var reply = sending.run()) {
            return http.ofStatus(reply, IN_SESSION);
        }
    }
}
