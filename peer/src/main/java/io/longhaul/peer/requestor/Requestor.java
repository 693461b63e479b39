package io.longhaul.peer.requestor;

import static io.longhaul.protocol.transport.TransportException.Kind.LOST;
import static io.longhaul.protocol.transport.TransportException.Kind.TIMEOUT;
import static io.longhaul.protocol.transport.TransportException.Kind.UNREACHABLE;
import static io.longhaul.protocol.transport.TransportException.Kind.UNUSABLE;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.TransportException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A conversation with one server in one generation. It outlives the server's restarts and its sessions: what was cut
 * off is asked again where that is safe. Blocking, thread-safe.
 */
public final class Requestor implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Requestor.class);

    private final Channel channel;
    private final boolean apart;
    private final Settings settings;
    private final Greeting greeting;
    private final Telling telling;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Runnable> renewals = new CopyOnWriteArrayList<>();
    private Session session;
    private @Nullable Hearing hearing;
    private @Nullable ServerQuestions questions;

    private Requestor(Channel channel, Settings settings, Greeting greeting, Session session, boolean apart) {
        this.channel = channel;
        this.apart = apart;
        this.settings = settings;
        this.greeting = greeting;
        this.session = session;
        this.telling = new Telling(channel, settings, this::ready, this::renew);
        settled();
    }

    /**
     * Finds out what a server speaks.
     *
     * @throws RequestorException when there is none, or none that we understand
     */
    public static Requestor open(Opener opener, Settings settings) throws RequestorException {
        var channel = new Channel(opener, settings.time(), settings.patience());
        try {
            return open(channel, settings, false);
        } catch (RequestorException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * A further conversation with the same server in another generation: over the same way, unless there both would be
     * asked questions, in different words.
     */
    public Requestor in(Generation generation) throws RequestorException {
        boolean apart =
                questions != null && ClientDialects.of(generation).traits().asksByRequest() && !channel.isLasting();
        return open(apart ? channel.another() : channel, settings.only(generation), apart);
    }

    private static Requestor open(Channel channel, Settings settings, boolean apart) throws RequestorException {
        var greeting = new Greeting(channel, settings);
        try {
            return new Requestor(channel, settings, greeting, greeting.detect(), apart);
        } catch (TransportException e) {
            throw new RequestorException(
                    e.kind() == UNUSABLE ? RequestorException.Kind.UNUSABLE : RequestorException.Kind.UNREACHABLE,
                    String.valueOf(e.getMessage()),
                    e);
        }
    }

    /** What the server last said of itself. */
    public ClientDialect.Hello hello() {
        return current().hello();
    }

    /** The generation that is spoken. */
    public ClientDialect dialect() {
        return current().dialect();
    }

    public Settings settings() {
        return settings;
    }

    Notices notices() {
        return channel.notices();
    }

    /** Does something each time a new session was agreed on, on a thread of its own, until closed. */
    public Registration onSession(Runnable action) {
        renewals.add(action);
        return () -> renewals.remove(action);
    }

    /** Hears what the server says of a task, until closed; {@code listener} must not block. */
    public Registration onTask(String taskId, Consumer<Notice> listener) {
        return channel.notices().onTask(taskId, listener);
    }

    /** Hears the progress that the server tells under a token, until closed; {@code listener} must not block. */
    public Registration onProgress(Json token, Consumer<Notice> listener) {
        return channel.notices().onToken(token, listener);
    }

    /** Makes a call, again and again where need be and where that is safe. */
    public Asked ask(Ask ask) {
        var backoff = new Backoff(settings.time(), settings.patience().trouble());
        while (true) {
            TransportException trouble;
            try {
                var used = ready();
                var response = exchange(used, ask);
                if (isSessionGone(used, response)) {
                    renew(used);
                    continue;
                }
                if (!isBusy(response)) {
                    return asked(used, ask, response);
                }
                trouble = new TransportException(LOST, "The server cannot answer at the moment.");
                if (!ask.isRepeatable()) {
                    return new Asked.Lost(String.valueOf(trouble.getMessage()), trouble);
                }
            } catch (RequestorException e) {
                return e.kind() == RequestorException.Kind.UNREACHABLE
                        ? new Asked.Lost(String.valueOf(e.getMessage()), null)
                        : new Asked.Unusable(String.valueOf(e.getMessage()));
            } catch (TransportException e) {
                trouble = e;
                var end = end(ask, e);
                if (end != null) {
                    return end;
                }
            }
            if (!pause(ask, backoff, trouble)) {
                return ask.isGivenUp()
                        ? new Asked.GivenUp()
                        : new Asked.Lost(String.valueOf(trouble.getMessage()), trouble);
            }
        }
    }

    /** Makes a call that is safe to repeat. */
    public Asked ask(Call call) {
        return ask(new Ask(call));
    }

    /**
     * Says something to which there is no answer, until the server has taken it.
     *
     * @return false where it could not be said
     */
    public boolean tell(Call call) {
        return telling.tell(used -> spoken(used, call));
    }

    /**
     * Gives up the request of a call that was answered, or is still waited for elsewhere, so that what it began is
     * cancelled.
     *
     * @return false where nobody knows that request any more, since its session is over, or it could not be said
     */
    public boolean withdraw(Ask ask) {
        return telling.tell(used -> ask.requestIn(used).flatMap(id -> spoken(used, new Call.CancelRequest(id, null))));
    }

    private Optional<Telling.Spoken> spoken(Session used, Call call) {
        var out = used.dialect().encode(call, me());
        var notification = new JsonRpcMessage.Notification(out.method(), out.params());
        return Optional.of(new Telling.Spoken(notification, used.with(out.headers())));
    }

    /**
     * Also hears what the server says by itself, where the generation has a stream for that; returns when it is open,
     * or soon where the server does not show that.
     */
    public void hear() {
        var stream = hearing();
        if (stream != null) {
            stream.awaitOpen();
        }
    }

    private @Nullable Hearing hearing() {
        lock.lock();
        try {
            if (hearing == null && session.dialect().traits().asksByRequest()) {
                hearing = new Hearing(channel, this::current, settings);
                hearing.start();
            }
            return hearing;
        } finally {
            lock.unlock();
        }
    }

    private static @Nullable Asked end(Ask ask, TransportException e) {
        if (ask.isGivenUp() || ask.isTold() || Thread.currentThread().isInterrupted()) {
            return new Asked.GivenUp();
        }
        if (e.kind() == UNUSABLE) {
            return new Asked.Unusable(String.valueOf(e.getMessage()));
        }
        return ask.isRepeatable() || e.kind() == UNREACHABLE
                ? null
                : new Asked.Lost(
                        "The connection was lost before the server had answered, and it may have begun the work; "
                                + "it was not asked again. " + e.getMessage(),
                        e);
    }

    private boolean pause(Ask ask, Backoff backoff, TransportException trouble) {
        var wait = backoff.next(Duration.ZERO);
        if (wait == null) {
            return false;
        }
        ask.trouble(String.valueOf(trouble.getMessage()));
        var sleeper = Thread.currentThread();
        Runnable wakeUp = () -> {
            ask.withdraw();
            sleeper.interrupt();
        };
        ask.underway(wakeUp, () -> {});
        try {
            settings.time().pause(wait);
            return !ask.isGivenUp();
        } catch (InterruptedException e) {
            if (!ask.isGivenUp()) {
                Thread.currentThread().interrupt();
                ask.giveUp();
            }
            return false;
        } finally {
            ask.underway(() -> {}, () -> {});
        }
    }

    private Asked asked(Session used, Ask ask, Response response) {
        if (ask.isGivenUp()) {
            return new Asked.GivenUp();
        }
        return switch (response) {
            case Response.Result(var result) -> wanted(ask, answered(used, ask, result));
            case Response.Failure(var error, var status) -> wanted(ask, new Asked.Refused(error));
            case Response.Status(var status)
            when status == 401 || status == 403 ->
                new Asked.Unusable(
                        "The server wants an authorization (HTTP " + status + "), which this client cannot give.");
            case Response.Status(var status) -> new Asked.Unusable("The server answered HTTP " + status + ".");
        };
    }

    /** Of a call that the server knows to be given up, only that is wanted after which it is to be given up again. */
    private static Asked wanted(Ask ask, Asked asked) {
        boolean goesOn = switch (asked) {
            case Asked.Answered(var answer) -> answer instanceof Answer.Part;
            case Asked.Refused(var error) -> error.code() == RpcError.HEADER_MISMATCH;
            default -> false;
        };
        return ask.isTold() && !goesOn ? new Asked.GivenUp() : asked;
    }

    private static Asked answered(Session used, Ask ask, Json result) {
        try {
            return new Asked.Answered(used.dialect().decode(ask.call(), result));
        } catch (UnusableMessageException | IllegalArgumentException e) {
            return new Asked.Unusable(String.valueOf(e.getMessage()));
        }
    }

    static boolean isBusy(Response response) {
        return response instanceof Response.Status(var status)
                && (status == 429 || status == 502 || status == 503 || status == 504);
    }

    static boolean isSessionGone(Session used, Response response) {
        var status = switch (response) {
            case Response.Result result -> 200;
            case Response.Failure(var error, var code) -> code;
            case Response.Status(var code) -> code;
        };
        return status == 404 && used.id().isPresent();
    }

    private Response exchange(Session used, Ask ask) throws TransportException {
        var out = used.dialect().encode(ask.call(), me());
        var headers = new HashMap<>(used.with(out.headers()));
        headers.putAll(ask.moreHeaders());
        var id = channel.nextId();
        var request = new JsonRpcMessage.Request(id, out.method(), out.params());
        var sent = new Sent(id, Wire.encode(request), headers, ask);
        ask.sending(used, id);
        ask.underway(
                dropping(used, sent, ask), () -> sent.drop(new TransportException(LOST, "The answer did not come.")));
        try (var alarm = settings.time().after(limit(ask), () -> late(used, sent))) {
            return channel.line().line().ask(sent, used.dialect().traits().resumable());
        } finally {
            ask.underway(() -> {}, () -> {});
            sent.over();
        }
    }

    private Duration limit(Ask ask) {
        return ask.isQuick() ? settings.patience().request() : Duration.ofDays(365);
    }

    private static TransportException timeout() {
        return new TransportException(TIMEOUT, "The server did not answer in time.");
    }

    /** "The sender SHOULD issue a cancellation notification for that request and stop waiting for a response." */
    private void late(Session used, Sent sent) {
        sent.drop(timeout());
        withdraw(used, sent);
    }

    private Runnable dropping(Session used, Sent sent, Ask ask) {
        var grace = ask.grace();
        return grace == null
                ? () -> drop(used, sent)
                : () -> {
                    ask.told();
                    withdraw(used, sent);
                    settings.time().after(grace, () -> {
                        if (!sent.isOver()) {
                            ask.withdraw();
                            drop(used, sent);
                        }
                    });
                };
    }

    private void drop(Session used, Sent sent) {
        withdraw(used, sent);
        sent.drop(new TransportException(LOST, "The call was given up."));
    }

    /** Over HTTP the newest generation cancels by closing; everything else says so. */
    private void withdraw(Session used, Sent sent) {
        try {
            var line = channel.line().line();
            if (line.isLasting() || !used.dialect().traits().closingCancels()) {
                var out = used.dialect().encode(new Call.CancelRequest(sent.id(), null), me());
                line.tell(
                        Wire.encode(new JsonRpcMessage.Notification(out.method(), out.params())),
                        used.with(out.headers()));
            }
        } catch (TransportException e) {
            log.debug("the server was not told that a request was given up: {}", e.getMessage());
        }
    }

    private ClientProfile me() {
        return greeting.me(current().dialect());
    }

    private Session current() {
        lock.lock();
        try {
            return session;
        } finally {
            lock.unlock();
        }
    }

    /** The session, agreed again where a lasting line was opened anew. */
    private Session ready() throws TransportException, RequestorException {
        var used = current();
        return channel.line().epoch() == used.epoch() ? used : renew(used);
    }

    private Session renew(Session old) throws TransportException, RequestorException {
        lock.lock();
        try {
            if (session.equals(old)) {
                session = greeting.agree(ClientDialects.of(old.dialect().generation()));
                settled();
                renewals.forEach(action ->
                        Thread.ofVirtual().name("longhaul-client-renewed").start(action));
            }
            return session;
        } finally {
            lock.unlock();
        }
    }

    private void settled() {
        if (questions == null && session.dialect().traits().asksByRequest()) {
            questions = new ServerQuestions(session.dialect(), settings, this::answer);
        }
        if (questions != null) {
            questions.newSession();
        }
        channel.settle(session.dialect(), questions);
    }

    /** A task has ended: whoever thinks about a question of it can stop. */
    void ended(String taskId) {
        lock.lock();
        try {
            if (questions != null) {
                questions.ended(taskId);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Answers the server's own request; the server takes the same answer twice without harm. */
    private void answer(JsonRpcMessage answer) {
        telling.tell(used -> Optional.of(new Telling.Spoken(answer, used.headers())));
    }

    /** Ends the session and the way to the server, also for the other generations spoken on it. */
    @Override
    public void close() {
        leave();
        channel.close();
    }

    /** Ends the session only. */
    public void leave() {
        var used = current();
        lock.lock();
        try {
            if (hearing != null) {
                hearing.close();
            }
            if (questions != null) {
                questions.close();
            }
        } finally {
            lock.unlock();
        }
        try {
            if (used.id().isPresent() && !channel.isClosed() && channel.line().line() instanceof HttpLine line) {
                line.leave(used.headers());
            }
        } catch (TransportException e) {
            log.debug("the server was not told that the session is over: {}", e.getMessage());
        }
        if (apart) {
            channel.close();
        }
    }
}
