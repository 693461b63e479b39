package io.longhaul.peer.requestor;

import static io.longhaul.protocol.transport.TransportException.Kind.LOST;
import static io.longhaul.protocol.transport.TransportException.Kind.UNREACHABLE;
import static io.longhaul.protocol.transport.TransportException.Kind.UNUSABLE;

import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.ClientTransport;
import io.longhaul.protocol.transport.ServerReply;
import io.longhaul.protocol.transport.TransportException;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A line over a lasting connection, such as stdio: one thread reads, and hands each response to whoever waits for
 * its id.
 */
final class LastingLine implements Line {

    private static final Logger log = LoggerFactory.getLogger(LastingLine.class);
    private static final int MAX_BAD = 100;

    private final ClientTransport transport;
    private final Incoming incoming;
    private final Map<RequestId, CompletableFuture<Response>> waiting = new ConcurrentHashMap<>();
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
            if (dead) {
                throw gone();
            }
            transport.send(sent.message(), sent.headers()).close();
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(LOST, "The call was interrupted.", e);
        } catch (ExecutionException e) {
            throw new TransportException(LOST, "The server ended before it had answered.", e);
        } catch (CancellationException e) {
            sent.check();
            throw new TransportException(LOST, "The call was given up.", e);
        } finally {
            waiting.remove(sent.id());
        }
    }

    @Override
    public Response tell(Json message, Map<String, String> headers) throws TransportException {
        if (dead) {
            throw gone();
        }
        transport.send(message, headers).close();
        return new Response.Status(202);
    }

    private static TransportException gone() {
        return new TransportException(UNREACHABLE, "The server has ended.");
    }

    private void read(ServerReply reply) {
        try (reply) {
            for (var bad = 0; bad < MAX_BAD; bad++) {
                if (readUntilBad(reply)) {
                    return;
                }
            }
            log.warn("the server sends too much that is no JSON-RPC");
        } catch (TransportException e) {
            log.debug("the connection to the server broke: {}", e.getMessage());
        } finally {
            dead = true;
            var why = new TransportException(LOST, "The server ended before it had answered.");
            waiting.values().forEach(answer -> answer.completeExceptionally(why));
        }
    }

    /** True at the end, false after something that was no message. */
    private boolean readUntilBad(ServerReply reply) throws TransportException {
        try {
            for (var event = reply.next(); event.isPresent(); event = reply.next()) {
                if (event.get().data().length > 0) {
                    Wire.decodeAll(event.get().data()).forEach(this::take);
                }
            }
            return true;
        } catch (TransportException e) {
            if (e.kind() != UNUSABLE) {
                throw e;
            }
            log.warn("ignored what the server wrote: {}", e.getMessage());
        } catch (UnusableMessageException e) {
            log.warn("ignored what the server wrote: {}", e.getMessage());
        }
        return false;
    }

    private void take(JsonRpcMessage message) {
        switch (message) {
            case JsonRpcMessage.Result(var id, var result) -> settle(id, new Response.Result(result));
            case JsonRpcMessage.Failure(var id, var error) -> settle(id, new Response.Failure(error, 200));
            case JsonRpcMessage.Notification notification -> incoming.notification(notification, null);
            case JsonRpcMessage.Request request -> incoming.request(request);
        }
    }

    private void settle(@Nullable RequestId id, Response response) {
        var answer = id == null ? null : waiting.get(id);
        if (answer == null) {
            log.debug("a response to no open request; ignored");
        } else {
            answer.complete(response);
        }
    }

    @Override
    public void close() {
        dead = true;
        transport.close();
    }
}
