// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.admit;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.dialect.DialectSelector;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.call.Calls;
import io.longhaul.receiver.node.NodeMessage;
import io.longhaul.receiver.observe.ObservedRequest;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.observe.ServerEvent.StreamKind;
import io.longhaul.receiver.plan.Manner;
import io.longhaul.receiver.plan.Planner;
import io.longhaul.receiver.plan.StreamEnd;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.request.Reply;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.session.SessionTasks;
import io.longhaul.receiver.session.Sessions;
import io.longhaul.receiver.session.StreamPlaces;
import io.longhaul.receiver.stream.Deliveries;
import io.longhaul.receiver.stream.Deliveries.Opening;
import io.longhaul.receiver.stream.EventId;
import io.longhaul.receiver.stream.EventId.Kind;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.stream.MessageStream;
import io.longhaul.receiver.stream.SessionStreams;
import io.longhaul.receiver.stream.Wait;
import io.longhaul.receiver.subscription.Announcer;
import io.longhaul.receiver.task.Origin;
import io.longhaul.receiver.task.TaskVerbs;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves HTTP GET and DELETE of the handshake era: side streams, resumed streams, and the end of sessions. No other
 * class reads {@code Last-Event-ID}.
 */
record StreamRequests(
        Context context,
        DialectSelector dialects,
        Sessions sessions,
        Deliveries deliveries,
        Announcer announcer,
        Calls calls) {

    private static final Logger LOG = LoggerFactory.getLogger(StreamRequests.class);
    private static final String VERSION_HEADER = "MCP-Protocol-Version";
    private static final int NO_CONTENT = 204;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int UNAVAILABLE = 503;
    private static final String STORAGE_FAILED = "The server's storage failed: try again later";
    private static final int NOT_ALLOWED = 405;
    private static final String OVER = "The stream of Last-Event-ID has ended, or is not kept any more";

    /** Serves a GET. Blocks while its stream is open. */
    void listen(Exchange exchange) {
        session(exchange).filter(session -> session.facts() != null).ifPresent(session -> {
            try {
                var last = exchange.header("Last-Event-ID");
                if (last.isEmpty()) {
                    here(session, exchange, () -> openStream(session, exchange));
                } else {
                    resume(session, exchange, EventId.of(last.get()));
                }
            } catch (PeerGoneException e) {
                LOG.debug("a client left its stream at once");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    void leave(Exchange exchange) {
        session(exchange).ifPresent(session -> {
            sessions.end(session);
            exchange.answer(new WholeResponse(NO_CONTENT, null));
        });
    }

    private Optional<Session> session(Exchange exchange) {
        var id = exchange.header(Requests.SESSION_HEADER);
        var version = exchange.header(VERSION_HEADER);
        if (version.isPresent() && Generation.of(version.get()).isEmpty()) {
            refuse(exchange, BAD_REQUEST, VERSION_HEADER + " is none that is spoken here: send the session's own");
            return Optional.empty();
        }
        if (id.isEmpty()) {
            boolean stateless = version.map(given -> !dialects.negotiate(given).equals(given))
                    .orElse(false);
            if (stateless) {
                refuse(exchange, NOT_ALLOWED, "Use POST: there are no sessions in this version");
            } else {
                refuse(exchange, BAD_REQUEST, Requests.SESSION_HEADER + " is missing: initialize gives it");
            }
            return Optional.empty();
        }
        try {
            var session = sessions.find(id.get(), exchange);
            if (session.isEmpty()) {
                refuse(exchange, NOT_FOUND, "No such session: it has ended, or was never opened");
            }
            return session;
        } catch (StoreException e) {
            refuse(exchange, UNAVAILABLE, STORAGE_FAILED);
            return Optional.empty();
        }
    }

    /** Has this node carry the streams of the session from now on, in place of another node. */
    private void takeOver(Session session, Exchange exchange) {
        new StreamPlaces(context).take(session, exchange, (before, quietSince) -> {
            deliveries.toldElsewhere(session, quietSince);
            if (before.quiet() == null) {
                context.nodes()
                        .tellNode(before.node(), NodeMessage.Kind.STREAM_OPENED, session.id(), Json.EMPTY_OBJECT);
            }
        });
    }

    /** Hears that a stream was opened at another node; this node may have opened a newer one since. */
    void openedElsewhere(Session session) {
        new StreamPlaces(context).openedElsewhere(session, () -> deliveries.toldElsewhere(session, context.now()));
    }

    /** Hears that the client had left a stream of another node before it opened its next one. */
    void leftElsewhere(Session session, Json told) {
        var quiet = Instant.parse(Params.of("message", told).string("quiet"));
        new StreamPlaces(context).leftElsewhere(session, quiet, () -> deliveries.leftEarlier(session, quiet));
    }

    private void leavePlace(Session session, Exchange exchange, Supplier<Instant> quiet) {
        try {
            new StreamPlaces(context).leave(session, exchange, quiet);
        } catch (StoreException e) {
            LOG.debug("other nodes do not know that session {} has no stream", session.id(), e);
        }
    }

    private interface Serving {
        void run() throws InterruptedException;
    }

    private boolean isTakenOver(Session session, Exchange exchange) {
        try {
            takeOver(session, exchange);
            return true;
        } catch (StoreException e) {
            refuse(exchange, UNAVAILABLE, STORAGE_FAILED);
            return false;
        }
    }

    /** Serves a side stream, while this node is the place of the streams of the session. */
    private void here(Session session, Exchange exchange, Serving serving) throws InterruptedException {
        try {
            if (isTakenOver(session, exchange)) {
                serving.run();
            }
        } finally {
            leavePlace(session, exchange, context::now);
        }
    }

    private void openStream(Session session, Exchange exchange) throws InterruptedException {
        var opening = deliveries.opening(session);
        var stream = sessionStream(session, new Mark(opening.since(), null, 0));
        carry(session, exchange, stream, 0, opening);
    }

    private MessageStream sessionStream(Session session, Mark mark) {
        var start = EventId.start(Kind.SESSION, session, context.newId(), mark, null);
        return new MessageStream(
                start, SessionStreams.SESSION_BYTES, manner(session).streamEnd() == StreamEnd.POLLS);
    }

    /** "The server MUST NOT send a JSON-RPC response on the stream unless resuming a stream" of a request. */
    private void resume(Session session, Exchange exchange, Optional<EventId> last) throws InterruptedException {
        if (last.isEmpty() || !last.get().isOf(session)) {
            refuse(exchange, BAD_REQUEST, "Last-Event-ID is none that this server gave in this session");
            return;
        }
        var at = last.get();
        switch (at.kind()) {
            case SESSION -> here(session, exchange, () -> resumeSession(session, exchange, at));
            case QUICK -> resumeQuick(session, exchange, at);
            case CALL, WAIT -> resumeTask(session, exchange, at);
            case END -> refuse(exchange, NOT_ALLOWED, OVER);
        }
    }

    private void resumeSession(Session session, Exchange exchange, EventId at) throws InterruptedException {
        var kept = SessionStreams.of(session).remembered(at.stream()).filter(stream -> stream.covers(at.number()));
        if (kept.isPresent()) {
            var stream = kept.get();
            stream.resuming(true);
            try {
                carry(session, exchange, stream, at.number(), deliveries.resuming(session));
            } finally {
                stream.resuming(false);
            }
        } else {
            var stream = sessionStream(session, at.mark());
            carry(session, exchange, stream, 0, deliveries.resuming(session, at.mark()));
        }
    }

    /**
     * Has a connection carry a stream for messages that belong to no request.
     *
     * @param from the last message of the stream that the client has
     */
    private void carry(Session session, Exchange exchange, MessageStream stream, long from, Opening opening)
            throws InterruptedException {
        // This comes before the client can know that its stream is open, so that the stream misses nothing from then
        // on.
        SessionStreams.of(session).remember(stream);
        var gone = new AtomicReference<@Nullable Instant>();
        serve(
                session,
                exchange,
                stream,
                connection -> {
                    SessionStreams.of(session).open(stream, connection, from, opening.first());
                    connection.onGone(() -> gone.set(context.now()));
                    opening.whenOpen().run();
                    announcer.catchUp(session);
                },
                connection -> {
                    var quiet = Objects.requireNonNullElseGet(gone.get(), context::now);
                    SessionStreams.of(session).closed(stream, connection);
                    deliveries.streamClosed(session, quiet);
                    leavePlace(session, exchange, () -> deliveries.untoldSince(session, stream.untoldSince(quiet)));
                });
    }

    /** Opens a connection, and has it carry a stream. Blocks until one of them ends. */
    private void serve(
            Session session,
            Exchange exchange,
            MessageStream stream,
            Consumer<EventStream> opened,
            Consumer<EventStream> closed)
            throws InterruptedException {
        var connection = exchange.stream(Map.of());
        var caller = ClientResponses.caller(session, exchange);
        context.observed().tell(() -> new ServerEvent.StreamOpened(caller, StreamKind.SESSION));
        try {
            opened.accept(connection);
            // Set after attaching, because the client may have left unnoticed before.
            connection.onGone(() -> stream.detach(connection));
            stream.pump(connection);
        } finally {
            closed.accept(connection);
            context.observed().tell(() -> new ServerEvent.StreamClosed(caller, StreamKind.SESSION));
            connection.close();
        }
    }

    /** Resumes the stream of a call that has no task. */
    private void resumeQuick(Session session, Exchange exchange, EventId at) throws InterruptedException {
        var kept = SessionStreams.of(session)
                .quick(at)
                .filter(stream -> stream.covers(at.number()) && !stream.isOver(at.number()));
        if (kept.isEmpty()) {
            refuse(exchange, NOT_ALLOWED, OVER);
            return;
        }
        var stream = kept.get();
        serve(
                session,
                exchange,
                stream,
                connection -> Optional.ofNullable(stream.attach(connection, at.number()))
                        .ifPresent(EventStream::close),
                stream::detach);
    }

    /** Resumes the stream of a request that has a task, for its session and principal only. */
    private void resumeTask(Session session, Exchange exchange, EventId at) throws InterruptedException {
        var mark = at.mark();
        Task task = context.engine()
                .find(session.owner(), Objects.requireNonNull(mark.task()))
                .orElse(null);
        if (task == null || !mayResume(session, at, task) || TaskVerbs.isCancelledWithCall(task)) {
            refuse(exchange, NOT_ALLOWED, OVER);
            return;
        }
        var route = Origin.of(task.spec()).route();
        var ofSession = manner(session);
        var manner = at.kind() == Kind.CALL ? deliveries.manner(route.dialect(), ofSession) : ofSession;
        if (at.kind() == Kind.CALL && !route.plain()) {
            comeBack(session, manner, exchange, at, task);
        } else {
            await(session, manner, exchange, at, task);
        }
    }

    private boolean mayResume(Session session, EventId at, Task task) {
        var route = Origin.of(task.spec()).route();
        return at.kind() == Kind.WAIT
                || (route.plain() || hasOwnStream(route.dialect()))
                        && (session.id().equals(route.session()) || isRepeated(session, at, task));
    }

    /** Whether the stream belongs to a call that this session repeated under the key of another session's call. */
    private boolean isRepeated(Session session, EventId at, Task task) {
        return at.request() != null
                && SessionTasks.of(context)
                        .repeatedBy(session, at.request())
                        .filter(repeated -> repeated.id().equals(task.id()))
                        .isPresent();
    }

    private boolean hasOwnStream(String dialect) {
        return dialects.named(dialect)
                .filter(words -> Planner.manner(words).telling().onCall())
                .isPresent();
    }

    private void await(Session session, Manner manner, Exchange exchange, EventId at, Task task) {
        RequestId id = Objects.requireNonNull(at.request());
        boolean isCall = at.kind() == Kind.CALL;
        var leaving = calls.leaving(task);
        var live = session.resume(id, isCall ? task.id() : null, leaving);
        var reply = new Reply(exchange, live, manner);
        reply.observed(ObservedRequest.of(context.observed(), exchange, manner.dialect(), call(at, task)));
        var facts = session.facts();
        var can = facts == null ? Capabilities.NONE : facts.capabilities();
        var request = new InboundRequest(session, manner, can, session.client(), live, reply);
        try {
            var wait = new Wait(
                    call(at, task), task, at.mark().seq(), isCall ? Wait.Kind.CALL : Wait.Kind.OUTCOME, at, leaving);
            if (isCall) {
                calls.resume(request, wait);
            } else {
                deliveries.awaitOutcome(request, wait, null);
            }
        } catch (Exception e) {
            LOG.error("the resumed stream of task {} failed", task.id(), e);
            reply.silently();
        } finally {
            session.end(live);
        }
    }

    private static Call call(EventId at, Task task) {
        Json arguments = Json.raw(task.spec().request().bytes());
        var extras = new Call.CallExtras(at.progressToken(), null, null);
        return at.kind() == Kind.CALL
                ? new Call.CallTool(task.spec().work(), arguments, extras)
                : new Call.AwaitOutcome(task.id().value(), extras);
    }

    /** Resumes the stream of a call that was answered with its task, until there is no more to tell of the task. */
    private void comeBack(Session session, Manner manner, Exchange exchange, EventId at, Task task)
            throws InterruptedException {
        var start = EventId.start(Kind.CALL, session, context.newId(), at.mark(), at.request());
        var stream = new MessageStream(
                start, SessionStreams.SESSION_BYTES, manner(session).streamEnd() == StreamEnd.POLLS);
        serve(
                session,
                exchange,
                stream,
                connection -> deliveries.comeBack(
                        session, manner, task, stream, connection, at.mark().seq()),
                connection -> {
                    SessionStreams.of(session).closed(task.id(), connection);
                    deliveries.streamClosed(session, context.now());
                });
    }

    private Manner manner(Session session) {
        return Planner.manner(
                dialects.ofSession(Objects.requireNonNull(session.facts()).version()));
    }

    private void refuse(Exchange exchange, int status, String message) {
        Requests.fail(context, exchange, null, new RpcError(RpcError.INVALID_REQUEST, message), status);
    }
}
