package io.longhaul.receiver;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.DialectSelector;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.HttpAnswer;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.receiver.OutcomeWait.Wait;
import io.longhaul.receiver.Session.Facts;
import io.longhaul.receiver.SideCursor.Mark;
import io.longhaul.receiver.task.Origin;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP GET and DELETE of the handshake era: streams of messages that belong to no request, streams resumed, sessions
 * ended.
 */
final class SideStreams {

    private static final Logger LOG = LoggerFactory.getLogger(SideStreams.class);
    private static final String VERSION_HEADER = "MCP-Protocol-Version";
    private static final int NO_CONTENT = 204;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;

    private final Context context;
    private final DialectSelector dialects;
    private final Sessions sessions;
    private final Calls calls;
    private final Sidelines sidelines;
    private final Announcer announcer;

    /**
     * What is told on side streams.
     *
     * @param sidelines of tasks
     * @param announcer of the server
     */
    record Told(Sidelines sidelines, Announcer announcer) {}

    SideStreams(Context context, DialectSelector dialects, Sessions sessions, Calls calls, Told told) {
        this.context = context;
        this.dialects = dialects;
        this.sessions = sessions;
        this.calls = calls;
        this.sidelines = told.sidelines();
        this.announcer = told.announcer();
    }

    void listen(Exchange exchange) {
        session(exchange).ifPresent(session -> {
            Facts facts = session.facts();
            if (facts == null) {
                return;
            }
            Dialect dialect = dialects.ofSession(facts.version());
            var last = exchange.header("Last-Event-ID");
            if (last.isEmpty()) {
                var name = SideCursor.name(session.id(), context.newId());
                var opening = context.now().truncatedTo(ChronoUnit.MILLIS);
                var start = new SideCursor(name, 0, new Mark(opening, null, 0));
                open(session, dialect, exchange, start, () -> sidelines.followAll(session, opening));
                return;
            }
            var side = SideCursor.of(last.get()).filter(cursor -> cursor.isOf(session.id()));
            if (side.isPresent() && CallTrack.isOne(side.get())) {
                goOn(session, exchange, side.get());
            } else if (side.isPresent()) {
                var at = side.get();
                open(session, dialect, exchange, at, () -> sidelines.goOn(session, at.mark()));
            } else {
                resume(session, dialect, exchange, last.get());
            }
        });
    }

    void leave(Exchange exchange) {
        session(exchange).ifPresent(session -> {
            sessions.end(session);
            exchange.answer(new HttpAnswer(NO_CONTENT, null));
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
        var session = sessions.find(id.get(), exchange);
        if (session.isEmpty()) {
            refuse(exchange, NOT_FOUND, "No such session: it has ended, or was never opened");
        }
        return session;
    }

    /**
     * Carries a side stream on from where its client has it.
     *
     * @param follow takes up the tasks that it tells of
     */
    private void open(Session session, Dialect dialect, Exchange exchange, SideCursor from, Runnable follow) {
        var sideline = session.sideline();
        var track = sideline.track(from.stream()).orElseGet(() -> new SideTrack(from));
        // Before the client can know that its stream is open, so that nothing is missed from then on.
        sideline.remember(track);
        EventStream stream = exchange.stream(Map.of());
        var over = new CountDownLatch(1);
        stream.onGone(over::countDown);
        try {
            var open = new Sideline.Open(stream, track, over::countDown);
            if (!track.replay(from.number(), stream, last -> attach(sideline, open, dialect, last))) {
                sidelines.tellAgain(session);
            }
            follow.run();
            announcer.catchUp(session);
            over.await();
        } catch (PeerGoneException e) {
            LOG.debug("a client left its side stream at once");
        } catch (InterruptedException e) {
            stream.close();
        } finally {
            sideline.remove(stream);
        }
    }

    /** Goes on with the stream of a call that no task stands behind. */
    private static void goOn(Session session, Exchange exchange, SideCursor at) {
        var over = new CountDownLatch(1);
        Supplier<EventStream> opened = () -> {
            EventStream stream = exchange.stream(Map.of());
            stream.onGone(over::countDown);
            return stream;
        };
        try {
            boolean goesOn = session.tracks()
                    .find(at.stream())
                    .filter(track -> track.resume(at.number(), opened, over::countDown))
                    .isPresent();
            if (goesOn) {
                over.await();
            } else {
                refuse(exchange, NOT_FOUND, "Last-Event-ID is of a stream that is not kept any more");
            }
        } catch (PeerGoneException e) {
            LOG.debug("a client left the stream of its call at once");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void attach(Sideline sideline, Sideline.Open open, Dialect dialect, String lastId) {
        sideline.add(open);
        if (dialect.traits().comesBack()) {
            open.stream().clientComesBack();
            open.stream().prime(lastId, null);
        }
    }

    /** Goes on with the stream of a request, on behalf of its session and principal alone. */
    private void resume(Session session, Dialect dialect, Exchange exchange, String lastEventId) {
        var cursor = StreamCursor.of(lastEventId);
        Task task = cursor.flatMap(at -> context.engine().find(session.owner(), at.task()))
                .orElse(null);
        if (cursor.isEmpty() || task == null || !mayResume(session, cursor.get(), task)) {
            refuse(exchange, NOT_FOUND, "Last-Event-ID is of no stream that can be resumed");
            return;
        }
        StreamCursor at = cursor.get();
        if (at.isCall() && !Origin.of(task.spec().origin()).route().plain()) {
            comeBack(session, wordsOf(at, dialect, task), exchange, at, task);
            return;
        }
        var live = session.resume(at.request());
        var words = wordsOf(at, dialect, task);
        var reply = new Reply(exchange, at.request(), words);
        var facts = session.facts();
        var visit = new Visit(session, words, facts == null ? noCapabilities() : facts.capabilities(), live, reply);
        try {
            calls.await(visit, new Wait(call(at, task), task, at, true, true, null));
        } catch (Exception e) {
            LOG.error("the resumed stream {} failed", context.newId(), e);
            reply.silently();
        } finally {
            session.end(live);
        }
    }

    /** Goes on with the stream of a call that was answered with its task, until no more is told of that. */
    private void comeBack(Session session, Dialect words, Exchange exchange, StreamCursor at, Task task) {
        var over = new CountDownLatch(1);
        Supplier<OwnStreams.Own> opening = () -> {
            EventStream stream = exchange.stream(Map.of());
            stream.onGone(over::countDown);
            var own = new OwnStreams.Own(stream, at, over::countDown);
            sidelines.repeat(session, words, task, own);
            return own;
        };
        try {
            var own = session.sideline().own().open(opening);
            sidelines.goOn(session, words, task, at);
            await(session, own, over);
        } catch (PeerGoneException e) {
            LOG.debug("a client left the stream of its call at once");
        }
    }

    private static void await(Session session, OwnStreams.Own own, CountDownLatch over) {
        try {
            over.await();
        } catch (InterruptedException e) {
            own.stream().close();
        } finally {
            session.sideline().leave(own.from().task(), own.stream());
        }
    }

    private boolean mayResume(Session session, StreamCursor cursor, Task task) {
        var route = Origin.of(task.spec().origin()).route();
        return !cursor.isCall()
                || session.id().equals(route.session()) && (route.plain() || hasOwnStream(route.dialect()));
    }

    private boolean hasOwnStream(String dialect) {
        return dialects.named(dialect)
                .map(words -> words.traits().tasks().told() == Dialect.Told.ON_CALL)
                .orElse(false);
    }

    /** A plain call is answered in plain words. */
    private Dialect wordsOf(StreamCursor cursor, Dialect ofSession, Task task) {
        return cursor.isCall()
                ? dialects.named(Origin.of(task.spec().origin()).route().dialect())
                        .orElse(ofSession)
                : ofSession;
    }

    private static Call call(StreamCursor cursor, Task task) {
        Json arguments = Json.raw(task.spec().request().bytes());
        return cursor.isCall()
                ? new Call.CallTool(
                        task.spec().work(), arguments, new Call.TaskWish.None(), Call.CallExtras.NONE, Call.Retry.FIRST)
                : new Call.AwaitOutcome(task.id().value());
    }

    private static io.longhaul.protocol.call.ClientProfile.Capabilities noCapabilities() {
        return io.longhaul.protocol.call.ClientProfile.Capabilities.NONE;
    }

    private static void refuse(Exchange exchange, int status, @Nullable String message) {
        var error = new RpcError(RpcError.INVALID_REQUEST, message == null ? "refused" : message);
        exchange.answer(new HttpAnswer(status, JsonRpcCodec.encode(new JsonRpcMessage.Failure(null, error))));
    }
}
