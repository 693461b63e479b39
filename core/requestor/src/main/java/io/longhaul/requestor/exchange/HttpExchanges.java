// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.exchange;

import static io.longhaul.protocol.transport.client.TransportException.Kind.TIMEOUT;

import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.RequestorSettings;
import java.time.Duration;
import java.util.Map;

/** Sends authorized HTTP requests to one server. Thread-safe. */
record HttpExchanges(RequestorSettings settings) {

    /** Runs an exchange of which only the status counts; the body of the reply is not read. */
    ExchangeResult status(Duration limit, String method, Map<String, String> headers, AuthorizedRequest.Sending sending)
            throws TransportException {
        try (var reply = head(limit, method, headers, sending)) {
            return ofStatus(reply, headers.containsKey(HttpClientConnection.SESSION));
        }
    }

    /** The reply to an authorized request, whose head must come within a limit. */
    ServerReply head(Duration limit, String method, Map<String, String> headers, AuthorizedRequest.Sending sending)
            throws TransportException {
        var request = PendingRequest.withoutMessage(headers);
        var late = new TransportException(TIMEOUT, "The server did not answer in time.");
        try (var alarm = request.limit(settings.time(), limit, () -> request.drop(late))) {
            return reply(request, method, headers, sending);
        }
    }

    ExchangeResult ofStatus(ServerReply reply, boolean inSession) {
        var after = RetryAfter.of(reply, settings.time().now());
        return ExchangeResult.ofStatus(reply.status(), inSession, after.orElse(null));
    }

    /** The reply to an authorized request. Dropping the request closes the reply, and ends a running authorization. */
    ServerReply reply(
            PendingRequest request, String method, Map<String, String> headers, AuthorizedRequest.Sending sending)
            throws TransportException {
        return request.reply(authorized(request, method, headers, sending));
    }

    AuthorizedRequest authorized(
            PendingRequest request, String method, Map<String, String> headers, AuthorizedRequest.Sending sending) {
        return new AuthorizedRequest(settings.authorizer(), request, method, headers, sending);
    }
}
