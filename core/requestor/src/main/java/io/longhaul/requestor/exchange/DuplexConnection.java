// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.exchange;

import static io.longhaul.protocol.transport.client.TransportException.Kind.LOST;
import static io.longhaul.protocol.transport.client.TransportException.Kind.TIMEOUT;
import static io.longhaul.protocol.transport.client.TransportException.Kind.UNREACHABLE;
import static io.longhaul.protocol.transport.client.TransportException.Kind.UNUSABLE;

import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.rpc.AnsweredIds;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.client.ClientTransport;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.RequestorSettings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection on which all messages arrive on one stream, as over standard input and output, and over HTTP with SSE.
 * One thread reads, and hands each response to the thread that waits for its id. A response that cannot be read, or
 * that names no request, ends the requests that it may have answered.
 */
public final class DuplexConnection implements ServerConnection {

    private static final Logger log = LoggerFactory.getLogger(DuplexConnection.class);

    /** The most lines that may come without being messages. */
    private static final int MAX_BAD = 100;

    private final ClientTransport transport;
    private final InboundListener inbound;
    private final Outlet outlet;
    private final Map<RequestId, Waiting> waiting = new ConcurrentHashMap<>();

    /** The number of requests that nobody waits for any more, and that the server may still answer. */
    private final AtomicInteger abandoned = new AtomicInteger();

    /** How messages are sent. */
    @FunctionalInterface
    interface Outlet {

        /** Sends a message. */
        ExchangeResult post(Json message, Map<String, String> headers) throws TransportException;

        /**
         * Sends a request, whose response comes on the stream; completes {@code answer} where the server refuses it.
         */
        default void request(PendingRequest request, CompletableFuture<ExchangeResult> answer)
                throws TransportException {
            post(request.message, request.headers);
        }
    }

    /**
     * A request that waits for its response.
     *
     * @param listener takes the messages that belong to the request
     */
    private record Waiting(String method, RequestListener listener, CompletableFuture<ExchangeResult> answer) {}

    /** The id of the last sent message; null where that was no request. */
    private volatile @Nullable RequestId newest;

    private volatile boolean ended;

    public DuplexConnection(ClientTransport transport, InboundListener inbound) throws TransportException {
        this(
                transport,
                inbound,
                (message, headers) -> written(transport, message, headers),
                transport.listen(Map.of()));
    }

    /** A message counts as taken once it is written. */
    private static ExchangeResult written(ClientTransport transport, Json message, Map<String, String> headers)
            throws TransportException {
        transport.send(message, headers).close();
        return new ExchangeResult.Accepted();
    }

    private DuplexConnection(ClientTransport transport, InboundListener inbound, Outlet outlet, ServerReply reply) {
        this.transport = transport;
        this.inbound = inbound;
        this.outlet = outlet;
        Thread.ofVirtual().name("longhaul-client-reader").start(() -> read(reply));
    }

    /**
     * A connection over HTTP with SSE. Its session ends with its stream.
     *
     * @throws TransportException where the server has no such stream, or cannot be reached
     */
    public static DuplexConnection overSse(
            ClientTransport transport, InboundListener inbound, RequestorSettings settings) throws TransportException {
        var posts = new PostedMessages(transport, new HttpExchanges(settings));
        return new DuplexConnection(transport, inbound, posts, posts.stream());
    }

    @Override
    public boolean isLasting() {
        return true;
    }

    @Override
    public boolean hasEnded() {
        return ended;
    }

    @Override
    public ExchangeResult exchange(PendingRequest request, boolean resumable) throws TransportException {
        var answer = new CompletableFuture<ExchangeResult>();
        waiting.put(request.id(), new Waiting(request.method, request.listener, answer));
        request.onDropped(() -> answer.cancel(false));
        try {
            request.check();
            sending(request.id());
            outlet.request(request, answer);
            return known(request.await(answer));
        } finally {
            // Counted first: the reader may take the late response as soon as the request is not waiting any more.
            if (mayComeLate(answer)) {
                abandoned.incrementAndGet();
            }
            waiting.remove(request.id());
        }
    }

    /** Whether the response may still come on the stream. A gateway may have refused a POST that the server has got. */
    private static boolean mayComeLate(CompletableFuture<ExchangeResult> answer) {
        return switch (answer.state()) {
            case RUNNING, CANCELLED -> true;
            case FAILED ->
                answer.exceptionNow() instanceof TransportException e && (e.kind() == LOST || e.kind() == TIMEOUT);
            case SUCCESS ->
                switch (answer.resultNow()) {
                    case ExchangeResult.Busy busy -> busy.trouble().kind() == TIMEOUT;
                    case ExchangeResult.Rejected(var status) -> status / 100 == 5;
                    default -> false;
                };
        };
    }

    @Override
    public ExchangeResult post(Json message, Map<String, String> headers) throws TransportException {
        sending(null);
        return known(outlet.post(message, headers));
    }

    /** Notes that the connection is unusable once the server no longer knows its session. */
    private ExchangeResult known(ExchangeResult end) {
        ended = ended || end instanceof ExchangeResult.UnknownSession;
        return end;
    }

    private void sending(@Nullable RequestId request) throws TransportException {
        if (ended) {
            throw new TransportException(UNREACHABLE, "The server has ended.");
        }
        newest = request;
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
            ended = true;
            fail(why);
        }
    }

    /** Reads messages; true at the end of the stream, false after a line that is no message. */
    private boolean readUntilBad(ServerReply reply) throws TransportException {
        byte[] read = {};
        try {
            for (var event = reply.next(); event.isPresent(); event = reply.next()) {
                read = event.get().data();
                if (read.length > 0) {
                    InboundMessages.read(read).forEach(this::take);
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
            var request = waiting.get(id);
            if (request != null) {
                request.answer().completeExceptionally(why);
            }
        }
    }

    private void take(JsonRpcMessage message) {
        switch (message) {
            case JsonRpcMessage.Result(var id, var result) -> answered(id, new ExchangeResult.Result(result));
            case JsonRpcMessage.Failure(var id, var error) -> answered(id, new ExchangeResult.Failure(error));
            case JsonRpcMessage.Notification notification -> {
                if (!endsSubscription(notification)) {
                    inbound.notification(notification, listener(notification));
                }
            }
            case JsonRpcMessage.Request request -> inbound.request(request, RequestListener.NONE);
        }
    }

    /**
     * Ends a subscription that the server cancels: "On stdio, the server also sends this notification, solely to
     * terminate a subscriptions/listen stream". The result of the subscription may follow.
     */
    private boolean endsSubscription(JsonRpcMessage.Notification notification) {
        if (!notification.method().equals("notifications/cancelled")) {
            return false;
        }
        var id = JsonRpcCodec.id(JsonReader.members(notification.params()).get("requestId"));
        var request = id == null ? null : waiting.get(id);
        if (request == null || !request.method().equals("subscriptions/listen")) {
            return false;
        }
        abandoned.incrementAndGet();
        request.answer().complete(new ExchangeResult.Result(Json.EMPTY_OBJECT));
        return true;
    }

    /**
     * "On stdio, where all messages share a single channel, clients MUST use this field to correlate notifications with
     * their originating subscription." A log line names no request: it belongs to the only request that the server
     * works for, and to none where there are several.
     */
    private RequestListener listener(JsonRpcMessage.Notification notification) {
        var meta = JsonReader.members(notification.params()).object(Meta.META);
        var id = JsonRpcCodec.id(meta.get(Meta.SUBSCRIPTION_ID));
        var request = id == null ? null : waiting.get(id);
        if (request != null) {
            return request.listener();
        }
        return notification.method().equals("notifications/message") ? onlyWork() : RequestListener.NONE;
    }

    private RequestListener onlyWork() {
        var working = waiting.values().stream()
                .filter(request ->
                        request.listener().works() && !request.answer().isDone())
                .limit(2)
                .toList();
        return working.size() == 1 ? working.getFirst().listener() : RequestListener.NONE;
    }

    /**
     * JSON-RPC: the id of a response "MUST be the same as the value of the id member in the Request Object", and is
     * null only where that could not be read. An error without an id then answers the last sent message.
     */
    private void answered(@Nullable RequestId id, ExchangeResult response) {
        var meant = id == null ? newest : id;
        var request = meant == null ? null : waiting.get(meant);
        if (request != null) {
            request.answer().complete(response);
        } else if (id == null || isLate()) {
            log.debug("a response to no open request; ignored");
        } else {
            fail(new TransportException(
                    UNUSABLE,
                    "The server answered request " + JsonRpcCodec.encode(id)
                            + ", which is no open request: which one it meant cannot be known."));
        }
    }

    /** Whether a response may be the late answer to a dropped request. Each dropped request counts once. */
    private boolean isLate() {
        return abandoned.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
    }

    private void fail(TransportException why) {
        waiting.values().forEach(request -> request.answer().completeExceptionally(why));
    }

    @Override
    public void close() {
        ended = true;
        transport.close();
    }
}
