package io.longhaul.requestor;

import static io.longhaul.protocol.transport.TransportException.Kind.LOST;
import static io.longhaul.protocol.transport.TransportException.Kind.UNREACHABLE;
import static io.longhaul.protocol.transport.TransportException.Kind.UNUSABLE;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
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
    private final Exchanges exchanges;
    private final Semaphore subscriptions = new Semaphore(TaskSubscription.MOST);
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
        this.exchanges = new Exchanges(channel, settings, greeting);
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

    /** The places for subscriptions. */
    Semaphore subscriptions() {
        return subscriptions;
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
        boolean agreedAnew = false;
        while (true) {
            var begun = settings.time().now();
            switch (attempt(ask, agreedAnew)) {
                case Attempt.Ended(var asked) -> {
                    return asked;
                }
                case Attempt.Failed(var trouble) -> {
                    if (trouble.kind() == LOST) {
                        backoff.held(begun);
                    }
                    if (!pause(ask, backoff, trouble)) {
                        return left(ask, trouble);
                    }
                }
                case Attempt.AgreedAnew(var trouble) -> {
                    if (agreedAnew && !pause(ask, backoff, trouble)) {
                        return left(ask, trouble);
                    }
                    agreedAnew = true;
                }
            }
        }
    }

    /** What became of one request of a call. */
    private sealed interface Attempt {
        record Ended(Asked asked) implements Attempt {}

        /** It may be tried again after a while. */
        record Failed(TransportException trouble) implements Attempt {}

        /** It is to be tried again in the session, or the version, that was agreed on now. */
        record AgreedAnew(TransportException trouble) implements Attempt {}
    }

    private Attempt attempt(Ask ask, boolean agreedAnew) {
        try {
            var used = ready();
            var response = exchanges.of(used, ask);
            var hurdle = Hurdle.of(used, response, agreedAnew, greeting);
            return switch (hurdle) {
                case Hurdle.None none -> new Attempt.Ended(asked(used, ask, response));
                case Hurdle.Busy busy
                when !ask.isRepeatable() ->
                    new Attempt.Ended(
                            new Asked.Lost(String.valueOf(busy.trouble().getMessage()), busy.trouble()));
                case Hurdle.Busy busy -> new Attempt.Failed(busy.trouble());
                case Hurdle.Void(var next, var trouble) -> {
                    renew(used, next);
                    yield new Attempt.AgreedAnew(trouble);
                }
            };
        } catch (RequestorException e) {
            return new Attempt.Ended(
                    e.kind() == RequestorException.Kind.UNREACHABLE
                            ? new Asked.Lost(String.valueOf(e.getMessage()), null)
                            : new Asked.Unusable(String.valueOf(e.getMessage())));
        } catch (TransportException e) {
            var end = end(ask, e);
            return end == null ? new Attempt.Failed(e) : new Attempt.Ended(end);
        }
    }

    private static Asked left(Ask ask, TransportException trouble) {
        return ask.isGivenUp() ? new Asked.GivenUp() : new Asked.Lost(String.valueOf(trouble.getMessage()), trouble);
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
        var out = used.dialect().encode(call, greeting.me(used.dialect()));
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
        return renew(old, ClientDialects.of(old.dialect().generation()));
    }

    private Session renew(Session old, ClientDialect dialect) throws TransportException, RequestorException {
        lock.lock();
        try {
            if (session.equals(old)) {
                session = greeting.agree(dialect);
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
