// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable;

import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.Permit;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution.Granted;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.transport.streamable.request.CallerHeaders;
import io.longhaul.transport.streamable.request.HttpPeer;
import io.longhaul.transport.streamable.request.RequestChecks;
import io.longhaul.transport.streamable.request.RequestHead;
import io.longhaul.transport.streamable.stream.Responder;
import io.longhaul.transport.streamable.stream.SseStream;
import io.longhaul.transport.streamable.stream.Streams;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One HTTP request and its response. */
final class HttpExchange implements Exchange {

    private static final int OK = 200;
    private static final byte[] NOTHING = new byte[0];

    private final Granted granted;
    private final RequestHead request;
    private final Responder response;
    private final HttpPeer peer;
    private final Streams streams;
    private final CallerHeaders shown;
    private boolean answered;
    private @Nullable SseStream stream;

    /** @param shown the headers that handlers see */
    HttpExchange(
            Granted granted,
            RequestHead request,
            Responder response,
            HttpPeer peer,
            Streams streams,
            CallerHeaders shown) {
        this.shown = shown;
        this.granted = granted;
        this.request = request;
        this.response = response;
        this.peer = peer;
        this.streams = streams;
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
        return Optional.of(peer.address());
    }

    @Override
    public Optional<String> header(String name) {
        return Optional.ofNullable(request.fields().first(name));
    }

    @Override
    public Optional<String> repeatedHeader(String prefix) {
        return Optional.ofNullable(request.fields().repeated(prefix));
    }

    @Override
    public boolean takesStream() {
        return RequestChecks.acceptsEvents(request.fields()) == null;
    }

    @Override
    public Map<String, String> callerHeaders() {
        return shown.of(request.fields());
    }

    @Override
    public void answer(WholeResponse answer) {
        begin();
        answer.headers().forEach(response::header);
        var body = answer.body();
        try {
            if (body == null) {
                response.send(answer.status(), NOTHING);
            } else {
                response.header("Content-Type", "application/json").send(answer.status(), body.bytes());
            }
        } catch (IOException e) {
            peer.cut();
            throw new PeerGoneException("The client has left before its answer");
        }
    }

    @Override
    public EventStream stream(Map<String, String> headers) {
        return open(headers);
    }

    @Override
    public Optional<Runnable> detaching() {
        return Optional.of(response::detach);
    }

    /** As {@link #stream}. */
    SseStream open(Map<String, String> headers) {
        begin();
        headers.forEach(response::header);
        response.header("Content-Type", "text/event-stream")
                .header("Cache-Control", "no-cache, no-transform")
                .header("X-Accel-Buffering", "no");
        var opened = SseStream.open(response.stream(OK), granted.until(), peer, streams);
        stream = opened;
        return opened;
    }

    /** Whether a response was sent, or as much of it as the client was there to read. */
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
