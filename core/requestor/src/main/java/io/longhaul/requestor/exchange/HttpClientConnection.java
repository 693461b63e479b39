// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.exchange;

import static io.longhaul.protocol.transport.client.TransportException.Kind.LOST;
import static io.longhaul.protocol.transport.client.TransportException.Kind.TIMEOUT;
import static io.longhaul.protocol.transport.client.TransportException.Kind.UNUSABLE;

import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.client.ClientTransport;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.StreamEvent;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.Backoff;
import io.longhaul.requestor.RequestorSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection over HTTP. Each request has a reply of its own. A broken stream with event ids is resumed. */
public final class HttpClientConnection implements ServerConnection {

    /** The header that names a session. */
    public static final String SESSION = "Mcp-Session-Id";

    private static final Logger log = LoggerFactory.getLogger(HttpClientConnection.class);
    private static final String LAST_EVENT = "Last-Event-ID";

    private final ClientTransport transport;
    private final InboundListener inbound;
    private final RequestorSettings settings;
    private final HttpExchanges http;

    public HttpClientConnection(ClientTransport transport, InboundListener inbound, RequestorSettings settings) {
        this.transport = transport;
        this.inbound = inbound;
        this.settings = settings;
        this.http = new HttpExchanges(settings);
    }

    @Override
    public ExchangeResult post(Json message, Map<String, String> headers) throws TransportException {
        return http.status(settings.timeouts().request(), "POST", headers, all -> transport.send(message, all));
    }

    /** Ends the session that the headers name. */
    public ExchangeResult deleteSession(Map<String, String> headers) throws TransportException {
        return http.status(settings.timeouts().probe(), "DELETE", headers, transport::leave);
    }

    @Override
    public ExchangeResult exchange(PendingRequest request, boolean resumable) throws TransportException {
        request.check();
        var position = new StreamPosition();
        try (var reply = http.reply(request, "POST", request.headers, all -> transport.send(request.message, all))) {
            if (reply.status() / 100 != 2) {
                return failure(reply, request.headers.containsKey(SESSION));
            }
            request.opened(reply.header(SESSION));
            var response = read(reply, request, position);
            if (response != null) {
                return response;
            }
        } catch (TransportException e) {
            request.check();
            if ((e.kind() != LOST && e.kind() != TIMEOUT) || !resumable || position.event == null) {
                throw e;
            }
        }
        request.check();
        if (position.stray != null) {
            throw new TransportException(
                    UNUSABLE,
                    "The server answered " + name(position.stray) + " in place of " + name(request.id()) + ".");
        }
        if (!resumable || position.event == null) {
            throw new TransportException(LOST, "The server closed the connection before it had answered.");
        }
        return resume(request, position);
    }

    private static String name(RequestId id) {
        return "request " + JsonRpcCodec.encode(id);
    }

    private ExchangeResult resume(PendingRequest request, StreamPosition position) throws TransportException {
        var backoff = settings.backoff();
        position.ofOneRequest = false;
        while (true) {
            pause(request, backoff, position);
            request.check();
            var before = position.event;
            var end = ExchangeResult.of(() -> listen(request, position, () -> {}));
            switch (end) {
                case ExchangeResult.Accepted endOfStream -> {
                    if (!Objects.equals(before, position.event)) {
                        backoff.reset();
                    }
                }
                case ExchangeResult.Busy busy -> log.debug("the server is busy (HTTP {})", busy.status());
                case ExchangeResult.Rejected(var status) -> throw unresumable(status);
                case ExchangeResult.UnknownSession unknown -> throw unresumable(404);
                case ExchangeResult.Broken(var trouble) -> {
                    request.check();
                    if (trouble.kind() == UNUSABLE) {
                        throw trouble;
                    }
                    request.listener.troubles().accept(String.valueOf(trouble.getMessage()));
                }
                case ExchangeResult.Result result -> {
                    return result;
                }
                case ExchangeResult.Failure failure -> {
                    return failure;
                }
            }
        }
    }

    private static TransportException unresumable(int status) {
        return new TransportException(
                LOST, "The server does not resume the answer that was under way (HTTP " + status + ").");
    }

    private static void pause(PendingRequest request, Backoff backoff, StreamPosition position)
            throws TransportException {
        if (position.retry().compareTo(Backoff.LONGEST_ASKED) > 0) {
            request.listener
                    .troubles()
                    .accept("The server wants to be asked again in "
                            + position.retry().toSeconds() + " s; that is cut to " + Backoff.LONGEST_ASKED.toSeconds()
                            + " s.");
        }
        if (!request.pause(backoff, position.retry())) {
            throw new TransportException(
                    TIMEOUT, "The server was away for too long to resume the answer that was under way.");
        }
    }

    private ExchangeResult failure(ServerReply reply, boolean inSession) {
        if (ExchangeResult.isOfHttp(reply.status())) {
            return http.ofStatus(reply, inSession);
        }
        try {
            var event = reply.next();
            for (var message :
                    event.isPresent() ? InboundMessages.read(event.get().data()) : List.<JsonRpcMessage>of()) {
                if (message instanceof JsonRpcMessage.Failure(var id, var error)) {
                    return ExchangeResult.ofError(error, reply.status(), inSession);
                }
            }
        } catch (TransportException | UnusableMessageException e) {
            log.debug("no JSON-RPC in a reply of status {}: {}", reply.status(), e.getMessage());
        }
        return http.ofStatus(reply, inSession);
    }

    /**
     * Listens to a stream of the server from a position on, until the stream ends or brings the response.
     *
     * @param request the request, which supplies the headers; dropping it ends the listening
     * @param opened  runs when the server has opened the stream
     * @return {@link ExchangeResult.Accepted} at the end of a stream without a response
     */
    public ExchangeResult listen(PendingRequest request, StreamPosition position, Runnable opened)
            throws TransportException {
        var headers = new HashMap<>(request.headers);
        if (position.event != null) {
            headers.put(LAST_EVENT, position.event);
        }
        position.ofOneRequest = false;
        try (var reply = http.reply(request, "GET", headers, transport::listen)) {
            var end = http.ofStatus(reply, headers.containsKey(SESSION));
            if (end instanceof ExchangeResult.Busy busy) {
                position.busy(busy.trouble().retryAfter());
            }
            if (!(end instanceof ExchangeResult.Accepted)) {
                return end;
            }
            opened.run();
            var response = read(reply, request, position);
            return response == null ? end : response;
        }
    }

    /** Reads until the response; null where the stream ends before the response. */
    private @Nullable ExchangeResult read(ServerReply reply, PendingRequest request, StreamPosition position)
            throws TransportException {
        for (var event = reply.next(); event.isPresent() && position.stray == null; event = reply.next()) {
            position.move(event.get());
            ExchangeResult response = null;
            for (var message : messages(event.get())) {
                response = take(message, request, position).orElse(response);
            }
            if (response != null) {
                return response;
            }
        }
        return null;
    }

    private Optional<ExchangeResult> take(JsonRpcMessage message, PendingRequest request, StreamPosition position) {
        switch (message) {
            case JsonRpcMessage.Result(var id, var result)
            when id.equals(request.id()) -> {
                return Optional.of(new ExchangeResult.Result(result));
            }
            case JsonRpcMessage.Failure(var id, var error)
            when id == null || id.equals(request.id()) -> {
                return Optional.of(new ExchangeResult.Failure(error));
            }
            case JsonRpcMessage.Notification notification -> inbound.notification(notification, request.listener);
            case JsonRpcMessage.Request question -> inbound.request(question, request.listener);
            case JsonRpcMessage.Result(var id, var result) -> position.answered(id);
            case JsonRpcMessage.Failure(var id, var error) -> position.answered(id);
        }
        return Optional.empty();
    }

    private static List<JsonRpcMessage> messages(StreamEvent event) throws TransportException {
        try {
            return event.data().length == 0 ? List.of() : InboundMessages.read(event.data());
        } catch (UnusableMessageException e) {
            throw new TransportException(UNUSABLE, String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void close() {
        transport.close();
    }
}
