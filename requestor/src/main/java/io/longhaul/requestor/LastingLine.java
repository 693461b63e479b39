package io.longhaul.requestor;

import static io.longhaul.protocol.transport.TransportException.Kind.LOST;
import static io.longhaul.protocol.transport.TransportException.Kind.UNREACHABLE;
import static io.longhaul.protocol.transport.TransportException.Kind.UNUSABLE;

import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.AnsweredIds;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.ClientTransport;
import io.longhaul.protocol.transport.ServerReply;
import io.longhaul.protocol.transport.TransportException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A line over a lasting connection, such as stdio: one thread reads, and hands each response to whoever waits for
 * its id. A response that cannot be read, or that names no request, ends the requests that it can have been for.
 */
final class LastingLine implements Line {

    private static final Logger log = LoggerFactory.getLogger(LastingLine.class);

    /** How many lines may come that are no messages. */
    private static final int MAX_BAD = 100;

    private final ClientTransport transport;
    private final Incoming incoming;
    private final Map<RequestId, CompletableFuture<Response>> waiting = new ConcurrentHashMap<>();

    /** How many requests were given up that may still be answered. */
    private final AtomicInteger abandoned = new AtomicInteger();

    /** The request that was the last message sent; null where that was no request. */
    private volatile @Nullable RequestId newest;

    private volatile boolean dead;

    LastingLine(ClientTransport transport, Incoming incoming) throws TransportException {
        this.transport = transport;
        this.incoming = incoming;
        var reply = transport.listen(Map.of());
        Thread.ofVirtual().name("longhaul-client-reader").start(() -> read(reply));
    }

    @Override
    public boolean isLasting() {
        return true;
    }

    @Override
    public boolean isDead() {
        return dead;
    }

    @Override
    public Response ask(Sent sent, boolean resumable) throws TransportException {
        var answer = new CompletableFuture<Response>();
        waiting.put(sent.id(), answer);
        sent.onDropped(() -> answer.cancel(false));
        try {
            sent.check();
            if (dead) {
                throw gone();
            }
            newest = sent.id();
            transport.send(sent.message(), sent.headers()).close();
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(LOST, "The call was interrupted.", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof TransportException why
                    ? new TransportException(why.kind(), String.valueOf(why.getMessage()), why)
                    : new TransportException(LOST, String.valueOf(e.getMessage()), e);
        } catch (CancellationException e) {
            sent.check();
            throw new TransportException(LOST, "The call was given up.", e);
        } finally {
            waiting.remove(sent.id());
            if (!answer.isDone() || answer.isCancelled()) {
                abandoned.incrementAndGet();
            }
        }
    }

    @Override
    public Response tell(Json message, Map<String, String> headers) throws TransportException {
        if (dead) {
            throw gone();
        }
        newest = null;
        transport.send(message, headers).close();
        return new Response.Status(202);
    }

    private static TransportException gone() {
        return new TransportException(UNREACHABLE, "The server has ended.");
    }

    private void read(ServerReply reply) {
        var why = new TransportException(LOST, "The server ended before it had answered.");
        try (reply) {
            for (var bad = 0; bad < MAX_BAD; bad++) {
                if (readUntilBad(reply)) {
                    return;
                }
            }
            why = new TransportException(
                    UNUSABLE,
                    "The server sent " + MAX_BAD
                            + " lines that are no messages: check that it writes its log to standard error.");
            log.warn("{}", why.getMessage());
        } catch (TransportException e) {
            log.debug("the connection to the server broke: {}", e.getMessage());
            why = new TransportException(LOST, why.getMessage() + " " + e.getMessage(), e);
        } finally {
            dead = true;
            fail(why);
        }
    }

    /** True at the end, false after something that was no message. */
    private boolean readUntilBad(ServerReply reply) throws TransportException {
        byte[] read = {};
        try {
            for (var event = reply.next(); event.isPresent(); event = reply.next()) {
                read = event.get().data();
                if (read.length > 0) {
                    Wire.decodeAll(read).forEach(this::take);
                }
            }
            return true;
        } catch (TransportException e) {
            if (e.kind() != UNUSABLE) {
                throw e;
            }
            ignored(e, e.answered());
        } catch (UnusableMessageException e) {
            ignored(e, AnsweredIds.in(read));
        }
        return false;
    }

    private void ignored(Exception problem, List<RequestId> answered) {
        log.warn("ignored what the server wrote: {}", problem.getMessage());
        var why = new TransportException(UNUSABLE, String.valueOf(problem.getMessage()), problem);
        for (var id : answered) {
            var answer = waiting.get(id);
            if (answer != null) {
                answer.completeExceptionally(why);
            }
        }
    }

    private void take(JsonRpcMessage message) {
        switch (message) {
            case JsonRpcMessage.Result(var id, var result) -> settle(id, new Response.Result(result));
            case JsonRpcMessage.Failure(var id, var error) -> settle(id, new Response.Failure(error, 200));
            case JsonRpcMessage.Notification notification -> incoming.notification(notification, null);
            case JsonRpcMessage.Request request -> incoming.request(request);
        }
    }

    /**
     * JSON-RPC: the id of a response "MUST be the same as the value of the id member in the Request Object", and is
     * null only where that could not be read. An error without an id is then for what was sent last.
     */
    private void settle(@Nullable RequestId id, Response response) {
        var asked = id == null ? newest : id;
        var answer = asked == null ? null : waiting.get(asked);
        if (answer != null) {
            answer.complete(response);
        } else if (id == null || isLate()) {
            log.debug("a response to no open request; ignored");
        } else {
            fail(new TransportException(
                    UNUSABLE,
                    "The server answered " + Wire.text(id)
                            + ", which is no open request: which one it meant cannot be known."));
        }
    }

    /** Requests that were given up may be answered all the same, each once. */
    private boolean isLate() {
        return abandoned.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
    }

    private void fail(TransportException why) {
        waiting.values().forEach(answer -> answer.completeExceptionally(why));
    }

    @Override
    public void close() {
        dead = true;
        transport.close();
    }
}
