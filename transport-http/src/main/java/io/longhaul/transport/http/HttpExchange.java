package io.longhaul.transport.http;

import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.HttpAnswer;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.Permit;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.transport.http.PrincipalResolver.Resolution.Granted;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One HTTP request and its response. */
final class HttpExchange implements Exchange {

    private static final int OK = 200;

    private final Granted granted;
    private final RequestHead request;
    private final Response response;
    private final HttpConnection connection;
    private final Connections connections;
    private final Set<String> shown;
    private boolean answered;
    private @Nullable SseStream stream;

    /** @param shown the headers that handlers see */
    HttpExchange(
            Granted granted,
            RequestHead request,
            Response response,
            HttpConnection connection,
            Connections connections,
            Set<String> shown) {
        this.shown = shown;
        this.granted = granted;
        this.request = request;
        this.response = response;
        this.connection = connection;
        this.connections = connections;
    }

    @Override
    public Principal principal() {
        return granted.principal();
    }

    @Override
    public Permit permit() {
        return granted.permit();
    }

    @Override
    public Optional<String> remoteAddress() {
        return Optional.of(connection.address().getHostAddress());
    }

    @Override
    public Optional<String> header(String name) {
        return Optional.ofNullable(request.fields().first(name));
    }

    @Override
    public Map<String, String> callerHeaders() {
        if (shown.isEmpty()) {
            return Map.of();
        }
        Map<String, String> sent = new LinkedHashMap<>();
        shown.forEach(name -> header(name).ifPresent(value -> sent.put(name, value)));
        return sent;
    }

    @Override
    public void answer(HttpAnswer answer) {
        begin();
        response.headers(answer.headers());
        var body = answer.body();
        try {
            if (body == null) {
                response.send(answer.status());
            } else {
                response.header("Content-Type", "application/json").send(answer.status(), body.bytes());
            }
        } catch (IOException e) {
            connection.cut();
            throw new PeerGoneException("The client has left before its answer");
        }
    }

    @Override
    public EventStream stream(Map<String, String> headers) {
        return open(headers);
    }

    @Override
    public Optional<Runnable> detaching() {
        return Optional.of(() -> connection.detach(response));
    }

    /** As {@link #stream}. */
    SseStream open(Map<String, String> headers) {
        begin();
        response.headers(headers)
                .header("Content-Type", "text/event-stream")
                .header("Cache-Control", "no-cache, no-transform")
                .header("X-Accel-Buffering", "no");
        var opened = SseStream.open(response.stream(OK), granted.until(), connection, connections);
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
