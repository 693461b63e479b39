package io.longhaul.requestor;

import static io.longhaul.protocol.transport.TransportException.Kind.LOST;
import static io.longhaul.protocol.transport.TransportException.Kind.TIMEOUT;
import static io.longhaul.protocol.transport.TransportException.Kind.UNREACHABLE;
import static io.longhaul.protocol.transport.TransportException.Kind.UNUSABLE;

import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.ClientTransport;
import io.longhaul.protocol.transport.ServerEvent;
import io.longhaul.protocol.transport.ServerReply;
import io.longhaul.protocol.transport.TransportException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A line over HTTP: every request has a reply of its own, and a broken stream is resumed where the server has
 * named its events.
 */
final class HttpLine implements Line {

    private static final Logger log = LoggerFactory.getLogger(HttpLine.class);
    static final String SESSION = "Mcp-Session-Id";
    static final String LAST_EVENT = "Last-Event-ID";

    private final ClientTransport transport;
    private final Incoming incoming;
    private final RequestorTime time;
    private final Patience patience;

    HttpLine(ClientTransport transport, Incoming incoming, RequestorTime time, Patience patience) {
        this.transport = transport;
        this.incoming = incoming;
        this.time = time;
        this.patience = patience;
    }

    @Override
    public boolean isLasting() {
        return false;
    }

    @Override
    public boolean isDead() {
        return false;
    }

    @Override
    public Response tell(Json message, Map<String, String> headers) throws TransportException {
        return new Response.Status(shortly(patience.request(), () -> transport.send(message, headers)));
    }

    /** The status of a reply whose body nobody reads. */
    private int shortly(Duration limit, Sent.Exchange exchange) throws TransportException {
        var sent = new Sent(new RequestId.Number(0), Json.EMPTY_OBJECT, Map.of(), null);
        var late = new TransportException(TIMEOUT, "The server did not answer in time.");
        try (var alarm = time.after(limit, () -> sent.drop(late));
                var reply = sent.reply(exchange)) {
            return reply.status();
        }
    }

    @Override
    public Response ask(Sent sent, boolean resumable) throws TransportException {
        sent.check();
        var cursor = new Cursor();
        try (var reply = sent.reply(() -> transport.send(sent.message(), sent.headers()))) {
            if (reply.status() / 100 != 2) {
                return failure(reply);
            }
            sent.opened(reply.header(SESSION));
            var response = read(reply, sent, cursor);
            if (response != null) {
                return response;
            }
        } catch (TransportException e) {
            sent.check();
            if ((e.kind() != LOST && e.kind() != TIMEOUT) || !resumable || cursor.event == null) {
                throw e;
            }
        }
        sent.check();
        if (cursor.stray != null) {
            throw new TransportException(
                    UNUSABLE,
                    "The server answered " + Wire.text(cursor.stray) + " in place of " + Wire.text(sent.id()) + ".");
        }
        if (!resumable || cursor.event == null) {
            throw new TransportException(LOST, "The server closed the connection before it had answered.");
        }
        return resume(sent, cursor);
    }

    private Response resume(Sent sent, Cursor cursor) throws TransportException {
        var backoff = new Backoff(time, patience.trouble());
        cursor.own = false;
        while (true) {
            pause(sent, backoff, cursor);
            sent.check();
            var headers = new HashMap<>(sent.headers());
            headers.put(LAST_EVENT, String.valueOf(cursor.event));
            var refused = 0;
            try (var reply = sent.reply(() -> transport.listen(headers))) {
                if (reply.status() / 100 == 2) {
                    var before = cursor.event;
                    var response = read(reply, sent, cursor);
                    if (response != null) {
                        return response;
                    }
                    if (!Objects.equals(before, cursor.event)) {
                        backoff.reset();
                    }
                } else {
                    refused = reply.status();
                }
            } catch (TransportException e) {
                sent.check();
                if (e.kind() == UNUSABLE) {
                    throw e;
                }
                trouble(sent, e);
            }
            if (refused != 0 && refused != 503 && refused != 429) {
                throw new TransportException(
                        LOST, "The server does not resume the answer that was under way (HTTP " + refused + ").");
            }
        }
    }

    private static void trouble(Sent sent, TransportException e) {
        var ask = sent.ask();
        if (ask != null) {
            ask.trouble(String.valueOf(e.getMessage()));
        }
    }

    private void pause(Sent sent, Backoff backoff, Cursor cursor) throws TransportException {
        if (cursor.retry.compareTo(Backoff.LONGEST_ASKED) > 0) {
            trouble(
                    sent,
                    new TransportException(
                            LOST,
                            "The server wants to be asked again in " + cursor.retry.toSeconds() + " s; that is cut to "
                                    + Backoff.LONGEST_ASKED.toSeconds() + " s."));
        }
        var wait = backoff.next(cursor.retry);
        if (wait == null) {
            throw new TransportException(UNREACHABLE, "The server was away for too long; try again when it is back.");
        }
        try {
            time.pause(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(LOST, "The call was interrupted.", e);
        }
    }

    private static Response failure(ServerReply reply) {
        try {
            var event = reply.next();
            if (event.isPresent()
                    && Wire.decode(event.get().data()) instanceof JsonRpcMessage.Failure(var id, var error)) {
                return new Response.Failure(error, reply.status());
            }
        } catch (TransportException | UnusableMessageException e) {
            log.debug("no JSON-RPC in a reply of status {}: {}", reply.status(), e.getMessage());
        }
        return new Response.Status(reply.status());
    }

    /** Reads until the response; null where the stream ends before it. */
    private @Nullable Response read(ServerReply reply, Sent sent, Cursor cursor) throws TransportException {
        for (var event = reply.next(); event.isPresent() && cursor.stray == null; event = reply.next()) {
            cursor.move(event.get());
            if (event.get().data().length == 0) {
                continue;
            }
            Response response = null;
            for (var message : decode(event.get())) {
                response = take(message, sent, cursor).orElse(response);
            }
            if (response != null) {
                return response;
            }
        }
        return null;
    }

    private Optional<Response> take(JsonRpcMessage message, Sent sent, Cursor cursor) {
        switch (message) {
            case JsonRpcMessage.Result(var id, var result)
            when id.equals(sent.id()) -> {
                return Optional.of(new Response.Result(result));
            }
            case JsonRpcMessage.Failure(var id, var error)
            when id == null || id.equals(sent.id()) -> {
                return Optional.of(new Response.Failure(error, 200));
            }
            case JsonRpcMessage.Notification notification -> incoming.notification(notification, sent);
            case JsonRpcMessage.Request request -> incoming.request(request);
            case JsonRpcMessage.Result(var id, var result) -> cursor.strayed(id);
            case JsonRpcMessage.Failure(var id, var error) -> cursor.strayed(id);
        }
        return Optional.empty();
    }

    private static List<JsonRpcMessage> decode(ServerEvent event) throws TransportException {
        try {
            return Wire.decodeAll(event.data());
        } catch (UnusableMessageException e) {
            throw new TransportException(UNUSABLE, String.valueOf(e.getMessage()), e);
        }
    }

    /** Hears what the server says by itself, until its stream ends. False where it has none at all. */
    boolean hear(Map<String, String> headers, Cursor cursor, Sent holder, Runnable opened) throws TransportException {
        var all = new HashMap<>(headers);
        if (cursor.event != null) {
            all.put(LAST_EVENT, cursor.event);
        }
        try (var reply = holder.reply(() -> transport.listen(all))) {
            opened.run();
            if (reply.status() / 100 != 2) {
                return reply.status() / 100 == 5 || reply.status() == 429 || reply.status() == 404;
            }
            cursor.own = false;
            read(reply, holder, cursor);
            return true;
        }
    }

    void leave(Map<String, String> headers) throws TransportException {
        shortly(patience.probe(), () -> transport.leave(headers));
    }

    @Override
    public void close() {
        transport.close();
    }

    /** Where a stream is to be resumed, and when. For one thread. */
    static final class Cursor {
        @Nullable
        String event;

        Duration retry = Duration.ZERO;

        /** How many events came. */
        int moves;

        /** Whether it is the stream of one request, on which no other can be answered. */
        boolean own = true;

        /** Another request that was answered in place of that one. */
        @Nullable
        RequestId stray;

        void strayed(@Nullable RequestId id) {
            stray = own ? id : stray;
        }

        void move(ServerEvent next) {
            moves++;
            next.id().ifPresent(id -> event = id);
            next.retry().ifPresent(wait -> retry = wait);
        }
    }
}
