// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.admit;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.DialectSelector;
import io.longhaul.protocol.dialect.DialectSelector.Settled;
import io.longhaul.protocol.dialect.RequestHeaders;
import io.longhaul.protocol.dialect.Selection;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.call.Calls;
import io.longhaul.receiver.node.NodeMessage;
import io.longhaul.receiver.observe.ObservedCaller;
import io.longhaul.receiver.observe.ObservedRequest;
import io.longhaul.receiver.observe.Rule;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.plan.Left;
import io.longhaul.receiver.plan.Planner;
import io.longhaul.receiver.request.AuditLog;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.request.Ongoing;
import io.longhaul.receiver.request.Reply;
import io.longhaul.receiver.session.LiveCall;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.session.Session.Facts;
import io.longhaul.receiver.session.SessionTasks;
import io.longhaul.receiver.session.Sessions;
import io.longhaul.receiver.stream.SessionStreams;
import io.longhaul.receiver.task.Origin;
import io.longhaul.receiver.task.TaskVerbs;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Accepts requests and notifications in their order, and has them answered. */
final class Requests {

    static final String SESSION_HEADER = "Mcp-Session-Id";
    static final int ACCEPTED = 202;

    private static final Logger LOG = LoggerFactory.getLogger(Requests.class);
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int UNAVAILABLE = 503;
    private static final String CANCELLED = "notifications/cancelled";
    private static final Duration LAST_ANSWERS = Duration.ofMillis(500);

    /** @param status the HTTP status that says why there is no session */
    record Found(@Nullable Session session, int status) {}

    private final Context context;
    private final DialectSelector dialects;
    private final Sessions sessions;
    private final Calls calls;
    private final Set<LiveCall> standalone = ConcurrentHashMap.newKeySet();
    private final Ongoing running = new Ongoing();
    private volatile boolean closing;

    Requests(Context context, DialectSelector dialects, Sessions sessions, Calls calls) {
        this.context = context;
        this.dialects = dialects;
        this.sessions = sessions;
        this.calls = calls;
    }

    /** The session of a lasting connection, or the session that an HTTP message names. */
    Found session(Exchange exchange, @Nullable Session connected) {
        if (connected != null) {
            return new Found(connected, 0);
        }
        var id = exchange.header(SESSION_HEADER);
        try {
            var session = id.flatMap(named -> sessions.find(named, exchange)).orElse(null);
            return new Found(session, session != null ? 0 : id.isPresent() ? NOT_FOUND : BAD_REQUEST);
        } catch (StoreException e) {
            return new Found(null, UNAVAILABLE);
        }
    }

    void refuseSession(Exchange exchange, @Nullable RequestId id, int status) {
        if (status == UNAVAILABLE) {
            fail(exchange, id, Refusals.error(new Refusal.StorageFailed()), status);
            return;
        }
        String message = status == NOT_FOUND
                ? "No such session: it has ended, or was never opened. Send initialize without a session id."
                : "There is no session: send initialize first, and its " + SESSION_HEADER + " with each message";
        fail(exchange, id, new RpcError(RpcError.INVALID_REQUEST, message), status);
    }

    Runnable request(JsonRpcMessage.Request request, Exchange exchange, @Nullable Session connected) {
        RequestId id = request.id();
        if (request.method().startsWith("notifications/")) {
            var error = new RpcError(RpcError.INVALID_REQUEST, request.method() + " is a notification: send no id");
            return () -> fail(exchange, id, error, BAD_REQUEST);
        }
        Found found = session(exchange, connected);
        return switch (select(found, exchange, request.method(), request.params())) {
            case Selection.Refuse refuse -> () -> fail(exchange, id, refuse.error(), refuse.httpStatus());
            case Selection.NeedsSession needs ->
                () -> refuseSession(exchange, id, found.session() == null ? found.status() : BAD_REQUEST);
            case Selection.Use use -> {
                Dialect dialect = use.dialect();
                yield switch (dialect.decode(request.method(), request.params())) {
                    case Dialect.Decoded.Bad bad -> () -> fail(exchange, id, bad.error(), bad.httpStatus());
                    case Dialect.Decoded.Good good ->
                        begin(id, good.call(), exchange, dialect, scope(use, found, exchange, connected));
                };
            }
        };
    }

    Runnable notification(JsonRpcMessage.Notification notification, Exchange exchange, @Nullable Session connected) {
        Found found = session(exchange, connected);
        Session session = found.session();
        return switch (select(found, exchange, notification.method(), notification.params())) {
            case Selection.Refuse refuse -> () -> fail(exchange, null, refuse.error(), refuse.httpStatus());
            case Selection.NeedsSession needs ->
                connected == null
                        ? () -> refuseSession(exchange, null, found.status())
                        : () -> exchange.answer(new WholeResponse(ACCEPTED, null));
            case Selection.Use use -> {
                if (session != null) {
                    take(session, use.dialect(), notification, exchange);
                }
                yield () -> exchange.answer(new WholeResponse(ACCEPTED, null));
            }
        };
    }

    /** Carries out a cancellation before the client's next message is read, so that a later poll shows it. */
    private void take(Session session, Dialect dialect, JsonRpcMessage.Notification notification, Exchange exchange) {
        if (dialect.decode(notification.method(), notification.params()) instanceof Dialect.Decoded.Good good) {
            var caller = ObservedCaller.of(exchange, dialect);
            switch (good.call()) {
                case Call.CancelRequest cancel -> {
                    if (!session.isOfThisNode()
                            && session.live(cancel.requestId()).isEmpty()) {
                        context.nodes()
                                .tellIfPossible(
                                        NodeMessage.Kind.REQUEST_CANCELLED, session.id(), notification.params());
                    }
                    orLog(() -> cancel(session, dialect, cancel, caller));
                }
                case Call.CancelTask cancel ->
                    orLog(() -> calls.cancelTask(session, Planner.manner(dialect), cancel.taskId(), caller));
                default -> {}
            }
        }
    }

    /** Refuses all requests that come from now on, and lets quick calls end within the grace; gives the rest of it. */
    Duration finish(Duration grace) {
        closing = true;
        return calls.awaitQuick(grace).orElseGet(() -> {
            LOG.info("some quick calls did not end within {} ms, and are stopped", grace.toMillis());
            return Duration.ZERO;
        });
    }

    /** Refuses all requests that come from now on, and ends the streams of the requests that stand alone. */
    void close() {
        closing = true;
        standalone.forEach(live -> live.leave(Left.CLOSED));
    }

    /** Waits a moment for the last answers to go out. */
    void awaitQuiet() {
        if (running.awaitNone(LAST_ANSWERS).isEmpty()) {
            LOG.info("some requests were still being answered when the server stopped");
        }
    }

    private Selection select(Found found, Exchange exchange, String method, Json params) {
        Facts facts = found.session() == null ? null : found.session().facts();
        var settled = facts == null ? null : new Settled(facts.version(), facts.capabilities());
        return dialects.select(settled, RequestHeaders.of(exchange), method, params);
    }

    /** The client of a request, and the space of its id: over HTTP a request without a session stands alone. */
    private Scope scope(Selection.Use use, Found found, Exchange exchange, @Nullable Session connected) {
        ClientProfile client = use.client();
        if (connected != null) {
            return Scope.of(connected, client, true);
        }
        Session session = found.session();
        if (client == null && session != null && session.facts() != null) {
            return Scope.of(session, null, true);
        }
        return Scope.of(new Session("alone", exchange.principal(), exchange.share(), null), client, false);
    }

    private record Scope(Session session, Capabilities capabilities, Json client, boolean shared) {

        /** @param client as the request itself says, or null where the session knows its client */
        static Scope of(Session session, @Nullable ClientProfile client, boolean shared) {
            if (client != null) {
                return new Scope(session, client.capabilities(), client.info(), shared);
            }
            Facts facts = session.facts();
            var declared = facts == null ? Capabilities.NONE : facts.capabilities();
            return new Scope(session, declared, session.client(), shared);
        }
    }

    private Runnable begin(RequestId id, Call call, Exchange exchange, Dialect dialect, Scope scope) {
        var live = scope.session().begin(id, call instanceof Call.Listen);
        if (live.isEmpty()) {
            var error = new RpcError(
                    RpcError.INVALID_REQUEST, "A request with this id is still being answered: give each its own");
            return () -> fail(exchange, id, error, BAD_REQUEST);
        }
        var manner = Planner.manner(dialect);
        var reply = new Reply(exchange, live.get(), manner);
        reply.observed(ObservedRequest.of(context.observed(), exchange, dialect, call));
        var request =
                new InboundRequest(scope.session(), manner, scope.capabilities(), scope.client(), live.get(), reply);
        if (call instanceof Call.Initialize initialize && reply.isOnConnection()) {
            settle(request, exchange, initialize);
        }
        // A client may reuse the id for its next request as soon as it has read the response.
        reply.beforeResponse(() -> scope.session().end(live.get()));
        if (!scope.shared()) {
            standalone.add(live.get());
        }
        return () -> run(request, call);
    }

    void run(InboundRequest request, Call call) {
        running.begin();
        try {
            if (closing) {
                request.notBegun();
            } else if (call instanceof Call.Initialize initialize) {
                initialize(request, initialize);
            } else {
                calls.answer(request, call);
            }
        } catch (PeerGoneException e) {
            request.reply().silently();
        } catch (Exception | Error e) {
            boolean isGivenUp =
                    e instanceof InterruptedException && request.live().isOver();
            if (isGivenUp) {
                request.reply().silently();
            } else {
                failed(request, call, e);
            }
        } finally {
            request.session().end(request.live());
            standalone.remove(request.live());
            running.end();
        }
    }

    private void failed(InboundRequest request, Call call, Throwable why) {
        if (closing) {
            LOG.debug("{} was cut short by the end of the server", named(call), why);
            request.cutShort();
        } else if (why instanceof StoreException notStored) {
            request.refuse(call, notStored(named(call), notStored));
        } else {
            LOG.error("{} failed", named(call), why);
            request.refuse(call, new Refusal.Internal());
        }
    }

    /**
     * The refusal of a message that could not be stored. The store itself logs the stack traces of failed writes, and
     * once a minute that the disk is full.
     */
    static Refusal notStored(String message, StoreException why) {
        boolean isFull = why instanceof StoreFullException;
        LOG.atLevel(isFull ? Level.DEBUG : Level.ERROR).log("{} could not be stored: {}", message, why.getMessage());
        return isFull ? new Refusal.StorageFull() : new Refusal.StorageFailed();
    }

    /** The name of the call for the log, without its arguments. */
    private static String named(Call call) {
        return switch (call) {
            case Call.CallTool tool -> "the tool " + tool.tool();
            case Call.Augmented augmented -> named(augmented.of());
            case Call.ReadResource resource -> "reading the resource " + resource.uri();
            case Call.GetPrompt prompt -> "the prompt " + prompt.prompt();
            default -> call.getClass().getSimpleName();
        };
    }

    /** A lasting connection is its own session. */
    private void settle(InboundRequest request, Exchange exchange, Call.Initialize call) {
        request.session().settle(facts(call));
        request.session().client(call.client().info());
        exchange.connection()
                .ifPresent(connection -> SessionStreams.of(request.session())
                        .connect(request.session(), context.newId(), connection.outlet()));
    }

    private void initialize(InboundRequest request, Call.Initialize call) {
        AuditLog.opened(request.principal(), call.client());
        Facts facts = facts(call);
        if (!request.reply().isOnConnection()) {
            Session session = sessions.open(
                    request.principal(), request.share(), facts, call.client().info(), calls.lists());
            request.reply().headers(Map.of(SESSION_HEADER, session.id()));
        }
        request.reply().answer(call, new CallResponse.Opened(facts.version(), calls.profile(request.principal())));
    }

    private Facts facts(Call.Initialize call) {
        return new Facts(dialects.negotiate(call.wantedVersion()), call.client().capabilities(), null, Set.of());
    }

    /**
     * Gives up the request at once. A call whose connection broke before is found by its task, as is a call that was
     * answered with a task that its cancellation cancels.
     */
    private void cancel(Session session, Dialect dialect, Call.CancelRequest cancel, ObservedCaller caller) {
        var live = session.live(cancel.requestId());
        var left = session.cancel(cancel.requestId(), cancel.reason());
        var task = left.isEmpty() && Planner.manner(dialect).streamEnd().isResumed()
                ? taskOf(session, cancel.requestId())
                        .filter(one -> live.filter(waiting -> waiting.task() != null)
                                        .map(LiveCall::leaving)
                                        .orElseGet(() -> calls.leaving(one))
                                        .cancelled(cancel.reason())
                                == Left.CANCELLED)
                        .map(Task::id)
                : left.filter(LiveCall::isCancelled).map(LiveCall::task);
        task.ifPresent(id -> TaskVerbs.cancelWithCall(context, caller, session.owner(), id));
    }

    /** Takes a cancellation that came to another node, where this node answers the request. */
    void cancelledElsewhere(Session session, Json params) {
        Facts facts = session.facts();
        Dialect dialect = facts == null ? null : dialects.ofSession(facts.version());
        if (dialect != null
                && dialect.decode(CANCELLED, params) instanceof Dialect.Decoded.Good(Call.CancelRequest cancel)
                && session.live(cancel.requestId())
                        .filter(live -> !isTooLate(session, live.task()))
                        .isPresent()) {
            orLog(() ->
                    cancel(session, dialect, cancel, new ObservedCaller(session.principal(), null, facts.version())));
        }
    }

    /** Whether the task ended before this cancellation. Then its call may be resumed, and gives its response. */
    private boolean isTooLate(Session session, @Nullable TaskId id) {
        return id != null
                && context.engine()
                        .find(session.owner(), id)
                        .filter(task -> task.state().isTerminal() && !TaskVerbs.isCancelledWithCall(task))
                        .isPresent();
    }

    /** A notification has no response, so that the log alone tells of a failure. */
    private static void orLog(Runnable cancellation) {
        try {
            cancellation.run();
        } catch (StoreException e) {
            LOG.error("a task that its caller gave up is not cancelled: {}", e.getMessage());
        }
    }

    private Optional<Task> taskOf(Session session, RequestId id) {
        var tasks = SessionTasks.of(context);
        var created = tasks.createdBy(session, id).filter(task -> {
            var route = Origin.of(task.spec()).route();
            return route.plain() || isCancelledByCall(route.dialect());
        });
        return Stream.concat(created, tasks.repeatedBy(session, id).stream())
                .filter(task -> !task.state().isTerminal())
                .reduce((older, newer) -> newer);
    }

    private boolean isCancelledByCall(String dialect) {
        return dialects.named(dialect)
                .filter(words -> Planner.manner(words).cancelledByCall())
                .isPresent();
    }

    private void fail(Exchange exchange, @Nullable RequestId id, RpcError error, int status) {
        fail(context, exchange, id, error, status);
    }

    /** Answers a message that is refused before the receiver knows whether the message is a valid request. */
    static void fail(Context context, Exchange exchange, @Nullable RequestId id, RpcError error, int status) {
        context.observed()
                .tell(() ->
                        new ServerEvent.Refused(ObservedCaller.of(exchange, null), Rule.of(error, status), null, null));
        exchange.answer(new WholeResponse(status, failure(id, error)));
    }

    static Json failure(@Nullable RequestId id, RpcError error) {
        return JsonRpcCodec.encode(new JsonRpcMessage.Failure(id, error));
    }
}
