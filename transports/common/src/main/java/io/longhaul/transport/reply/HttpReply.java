// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.reply;

import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.StreamEvent;
import io.longhaul.protocol.transport.client.TransportException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One HTTP response. */
public final class HttpReply implements ServerReply {

    private final URI server;
    private final HttpResponse<ReplyBody> response;
    private final int limit;
    private final Consumer<HttpReply> closed;
    private @Nullable SseReader events;
    private boolean read;

    public HttpReply(URI server, HttpResponse<ReplyBody> response, int limit, Consumer<HttpReply> closed) {
        this.server = server;
        this.response = response;
        this.limit = limit;
        this.closed = closed;
        if (contentType().equals("text/event-stream")) {
            this.events = new SseReader(response.body(), limit);
        }
    }

    @Override
    public int status() {
        return response.statusCode();
    }

    @Override
    public Optional<String> header(String name) {
        return response.headers().firstValue(name);
    }

    @Override
    public List<String> headers(String name) {
        return response.headers().allValues(name);
    }

    @Override
    public Optional<StreamEvent> next() throws TransportException {
        if (response.body().isClosed()) {
            return Optional.empty();
        }
        try {
            var event = events == null ? body() : events.next();
            if (event.isEmpty()) {
                close();
            }
            return event;
        } catch (SseReader.TooLargeException e) {
            close();
            throw tooLarge();
        } catch (HttpTimeoutException e) {
            throw new TransportException(
                    TransportException.Kind.TIMEOUT,
                    server + " sent nothing for too long: is the server still there?",
                    e);
        } catch (IOException e) {
            close();
            throw new TransportException(
                    TransportException.Kind.LOST, "The connection to " + server + " broke off: try again", e);
        }
    }

    /**
     * The data of the first event, which must have this type.
     *
     * @return empty where there is no such event, or no stream
     */
    public Optional<String> first(String type) throws IOException {
        return events == null ? Optional.empty() : events.nextOf(type);
    }

    private Optional<StreamEvent> body() throws IOException, TransportException {
        if (read) {
            return Optional.empty();
        }
        read = true;
        var bytes = response.body().readNBytes(limit + 1);
        if (response.body().isClosed() || bytes.length == 0) {
            return Optional.empty();
        }
        if (bytes.length > limit) {
            close();
            throw tooLarge();
        }
        if (!contentType().equals("application/json")) {
            throw new TransportException(
                    TransportException.Kind.UNUSABLE,
                    server + " answered with HTTP " + status() + " and no JSON: is this the address of an MCP server?");
        }
        return Optional.of(new StreamEvent(null, null, bytes));
    }

    private TransportException tooLarge() {
        return new TransportException(
                TransportException.Kind.UNUSABLE,
                server + " sent a message of more than " + limit + " bytes: raise the limit, or ask for less");
    }

    private String contentType() {
        return header("Content-Type").orElse("").split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    @Override
    public void close() {
        response.body().close();
        closed.accept(this);
    }
}
