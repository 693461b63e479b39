package io.longhaul.transport.http;

import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.ServerConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.longhaul.protocol.transport.Connection;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.HttpAnswer;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.Principal;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One HTTP request and its response. */
final class HttpExchange implements Exchange {

    private final Principal principal;
    private final ServerRequest request;
    private final ServerResponse response;
    private final HttpConnection connection;
    private final Connections connections;
    private boolean answered;
    private @Nullable SseStream stream;

    /** Made on the thread of the request's connection, but used by any. */
    HttpExchange(Principal principal, ServerRequest request, ServerResponse response, Connections connections) {
        this.connection = HttpConnection.current();
        this.principal = principal;
        this.request = request;
        this.response = response;
        this.connections = connections;
    }

    @Override
    public Principal principal() {
        return principal;
    }

    @Override
    public Optional<String> remoteAddress() {
        return Optional.of(request.remotePeer().host());
    }

    @Override
    public Optional<String> header(String name) {
        return request.headers().first(HeaderNames.create(name));
    }

    @Override
    public Optional<Connection> connection() {
        return Optional.empty();
    }

    @Override
    public void answer(HttpAnswer answer) {
        begin();
        response.status(Status.create(answer.status()));
        answer.headers().forEach((name, value) -> response.headers().set(HeaderNames.create(name), value));
        var body = answer.body();
        try {
            if (body == null) {
                response.send();
            } else {
                response.header(Responses.JSON);
                response.send(body.bytes());
            }
        } catch (ServerConnectionException | UncheckedIOException e) {
            connection.cut();
            throw new PeerGoneException("The client has left before its answer");
        }
    }

    @Override
    public EventStream stream(Map<String, String> headers) {
        return open(headers);
    }

    /** As {@link #stream}. */
    SseStream open(Map<String, String> headers) {
        begin();
        headers.forEach((name, value) -> response.headers().set(HeaderNames.create(name), value));
        response.header(Responses.EVENT_STREAM);
        response.header(Responses.NO_CACHE);
        response.header(Responses.NO_BUFFERING);
        var opened = SseStream.open(response.outputStream(), connection, connections);
        stream = opened;
        return opened;
    }

    /** Whether there is a response, or as much of one as the client was there for. */
    boolean isAnswered() {
        return stream != null || response.isSent();
    }

    /** Blocks until the stream has ended, if there is one. */
    void awaitEnd() throws InterruptedException {
        if (stream != null) {
            stream.awaitEnd();
        }
    }

    /** Ends the stream, if there is one. */
    void abort() {
        if (stream != null) {
            stream.close();
        }
    }

    private void begin() {
        if (answered) {
            throw new IllegalStateException("This request has been answered already");
        }
        answered = true;
    }
}
