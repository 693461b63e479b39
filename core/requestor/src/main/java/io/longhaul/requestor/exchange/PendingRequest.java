// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.exchange;

import static io.longhaul.protocol.transport.client.TransportException.Kind.LOST;
import static io.longhaul.protocol.transport.client.TransportException.Kind.UNUSABLE;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.Backoff;
import io.longhaul.requestor.Registration;
import io.longhaul.requestor.RequestorTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One request whose response one thread awaits. Any thread can drop the request, which ends the wait. */
public final class PendingRequest {

    final String method;
    final Json message;
    final Map<String, String> headers;
    final RequestListener listener;
    private final RequestId id;
    private final AtomicReference<@Nullable TransportException> dropped = new AtomicReference<>();
    private final List<Registration> alarms = new CopyOnWriteArrayList<>();
    private volatile Runnable onDropped = () -> {};
    private volatile @Nullable String openedSession;
    private @Nullable Limit limit;
    private @Nullable Registration alarm;
    private Duration armed = Duration.ZERO;
    private volatile boolean over;

    private record Limit(RequestorTime time, Duration left, Runnable late) {
        Limit after(Duration passed) {
            return new Limit(time, left.minus(passed), late);
        }
    }

    public PendingRequest(
            RequestId id, String method, Json message, Map<String, String> headers, RequestListener listener) {
        this.id = id;
        this.method = method;
        this.message = message;
        this.headers = headers;
        this.listener = listener;
    }

    /** A request that has no JSON-RPC message: a stream to listen to, or an HTTP request with a status only. */
    public static PendingRequest withoutMessage(Map<String, String> headers) {
        return new PendingRequest(new RequestId.Number(0), "", Json.EMPTY_OBJECT, headers, RequestListener.NONE);
    }

    public RequestId id() {
        return id;
    }

    public Optional<String> openedSession() {
        return Optional.ofNullable(openedSession);
    }

    void opened(Optional<String> sessionId) {
        openedSession = sessionId.orElse(null);
    }

    /** The reply, once its head has come. Dropping the request closes the reply, even before its head has come. */
    ServerReply reply(ExchangeResult.Attempt<ServerReply> exchange) throws TransportException {
        var reply = aside("longhaul-client-send", exchange::run, ServerReply::close);
        check();
        return reply;
    }

    /** As {@link Backoff#pause(Duration)}. Dropping the request ends the pause. */
    boolean pause(Backoff backoff, Duration atLeast) throws TransportException {
        return aside("longhaul-client-pause", () -> backoff.pause(atLeast), over -> {});
    }

    /**
     * Runs an action on a thread of its own, which dropping the request interrupts.
     *
     * @param unwanted takes the value of the action where the request is dropped before or after it has come
     */
    private <T> T aside(String name, Callable<T> action, Consumer<T> unwanted) throws TransportException {
        var result = new CompletableFuture<T>();
        var thread = Thread.ofVirtual().name(name).start(() -> {
            try {
                var value = action.call();
                if (!result.complete(value)) {
                    unwanted.accept(value);
                }
            } catch (Exception | Error e) {
                result.completeExceptionally(e);
            }
        });
        onDropped(() -> {
            result.cancel(false);
            thread.interrupt();
            result.thenAccept(unwanted);
        });
        return await(result);
    }

    /** Waits until the answer comes or the request is dropped. */
    <T> T await(CompletableFuture<T> answer) throws TransportException {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            drop(new TransportException(LOST, "The call was interrupted.", e));
            throw new TransportException(LOST, "The call was interrupted.", e);
        } catch (CancellationException e) {
            check();
            throw new TransportException(LOST, "The call was given up.", e);
        } catch (ExecutionException e) {
            check();
            throw e.getCause() instanceof TransportException why
                    ? new TransportException(why.kind(), String.valueOf(why.getMessage()), why)
                    : new TransportException(UNUSABLE, "The request could not be sent.", e);
        }
    }

    /** Sets the action of a drop, which runs at once after an earlier drop, and must be safe to run twice. */
    void onDropped(Runnable action) {
        onDropped = action;
        if (dropped.get() != null) {
            action.run();
        }
    }

    /**
     * Runs {@code late} when the server has not answered within {@code limit}, unless closed before. The time for an
     * authorization does not count; after it, the rest of the limit runs.
     */
    public Registration limit(RequestorTime time, Duration limit, Runnable late) {
        arm(new Limit(time, limit, late));
        return () -> arm(null);
    }

    private synchronized void arm(@Nullable Limit next) {
        disarm();
        limit = next;
        rearm();
    }

    private synchronized void disarm() {
        if (alarm != null && limit != null) {
            alarm.close();
            alarm = null;
            limit = limit.after(limit.time().elapsed().minus(armed));
        }
    }

    private synchronized void rearm() {
        if (limit != null && alarm == null) {
            armed = limit.time().elapsed();
            alarm = limit.time().after(limit.left(), limit.late());
        }
    }

    /** Runs an action whose time does not count against the limit of this request. */
    <T> T untimed(ExchangeResult.Attempt<T> action) throws TransportException {
        disarm();
        try {
            return action.run();
        } finally {
            rearm();
        }
    }

    /** Ends the wait for the response, for a reason. */
    public void drop(TransportException why) {
        if (dropped.compareAndSet(null, why)) {
            onDropped.run();
        }
    }

    /** Keeps an alarm set until the request has ended. */
    public void until(Registration alarm) {
        alarms.add(alarm);
        if (over) {
            alarm.close();
        }
    }

    public void end() {
        over = true;
        alarms.forEach(Registration::close);
    }

    public boolean hasEnded() {
        return over;
    }

    /** Throws the reason of the drop where the request was dropped. */
    void check() throws TransportException {
        var why = dropped.get();
        if (why != null) {
            throw why;
        }
    }
}
