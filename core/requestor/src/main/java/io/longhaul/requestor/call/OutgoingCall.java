// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.call;

import static io.longhaul.protocol.transport.client.TransportException.Kind.UNUSABLE;

import io.longhaul.protocol.Pace;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.Answerer;
import io.longhaul.requestor.connect.ServerSession;
import io.longhaul.requestor.exchange.RequestListener;
import io.longhaul.requestor.question.Answerers;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call to a server, which may take several requests. Any thread can cancel the call. Set options before the call is
 * made; all other methods are thread-safe.
 */
public final class OutgoingCall {

    private static final Underway NOTHING = new Underway(() -> {}, () -> {});

    private volatile Call call;
    private final LinkedHashSet<RequestId> requests = new LinkedHashSet<>();
    private Map<String, String> headers = Map.of();
    private boolean repeatable = true;
    private volatile @Nullable Duration timeout;
    private @Nullable Duration grace;
    private @Nullable String failing;
    private Consumer<String> onTrouble = sentence -> {};
    private Consumer<String> clientsTrouble = sentence -> {};
    private Consumer<Notice> onNotice = notice -> {};
    private @Nullable Answerer answerer;
    private final Pace pace = Pace.ofQuestions();
    private volatile Underway underway = NOTHING;
    private boolean cancelled;
    private boolean unwanted;
    private boolean told;
    private boolean begun;
    private @Nullable ServerSession session;

    /**
     * The present request of the call, or the pause before the next one.
     *
     * @param cancel ends it, and tells the server
     * @param drop   ends the request or pause without telling the server
     */
    record Underway(Runnable cancel, Runnable drop) {}

    public OutgoingCall(Call call) {
        this.call = call;
    }

    public OutgoingCall headers(Map<String, String> more) {
        headers = Map.copyOf(more);
        return this;
    }

    /** Sets whether the call may reach the server twice, after a first request of unknown outcome. True unless set. */
    public OutgoingCall repeatable(boolean safe) {
        repeatable = safe;
        return this;
    }

    /**
     * Repeats the call after an internal error of the server, until the timeout for a server in trouble.
     *
     * @param what what the server then fails to do, such as "The server does not tell how the task stands"
     */
    public OutgoingCall patient(String what) {
        failing = what;
        return this;
    }

    /** Sets no time limit for the answer. */
    public OutgoingCall withoutTimeout() {
        return timeout(Duration.ofDays(365));
    }

    /** Sets the time limit for the answer, in place of the limit for a quick request. */
    public OutgoingCall timeout(Duration limit) {
        timeout = limit;
        return this;
    }

    /**
     * Sends the call even after it was cancelled, because only its cancellation at the server cancels work that goes on
     * there. The server is told of the cancellation at once, and again after {@code graceTime} where it does not
     * answer: the first message may have overtaken the call.
     */
    public OutgoingCall sentBeforeCancelled(Duration graceTime) {
        grace = graceTime;
        return this;
    }

    /** Sets the log level of a call that can name one and does not yet. */
    OutgoingCall logging(@Nullable String level) {
        if (call instanceof Call.Interactive asked && asked.extras().logLevel() == null) {
            call = asked.with(asked.extras().logging(level), asked.round());
        }
        return this;
    }

    /** Listens to troubles, told in one sentence each time before the call is repeated. */
    public OutgoingCall onTrouble(Consumer<String> listener) {
        onTrouble = listener;
        return this;
    }

    /** Sets who hears the troubles of all calls of the client, besides the listener of this call. */
    OutgoingCall heardBy(Consumer<String> client) {
        clientsTrouble = client;
        return this;
    }

    /** Listens to the notifications on the stream of the call. */
    public OutgoingCall onNotice(Consumer<Notice> listener) {
        onNotice = listener;
        return this;
    }

    /** Answers what the server asks because of this call, in place of the client's answerer; null for that one. */
    public OutgoingCall answeredBy(@Nullable Answerer own) {
        answerer = own;
        return this;
    }

    @Nullable
    Answerer answerer() {
        return answerer;
    }

    /** Cancels the call, and tells the server in the way of its generation. */
    public void cancel() {
        Underway current;
        synchronized (this) {
            cancelled = true;
            current = underway;
        }
        current.cancel().run();
    }

    /** Stops waiting for the answer without telling the server: the work goes on. */
    public void abandon() {
        synchronized (this) {
            cancelled = true;
            unwanted = true;
        }
        underway.drop().run();
    }

    /** Repeats the request of the call, whose connection may be lost. */
    public void again() {
        underway.drop().run();
    }

    /** Repeats the call with the timeout of a quick request, because the answer should be available now. */
    public void hurry() {
        timeout = null;
        again();
    }

    /**
     * Notes that the server has begun the work of the call, as messages before the answer show. The call is not
     * repeated from now on: a server that has forgotten the work would begin it anew.
     */
    public synchronized void setBegun() {
        begun = true;
    }

    /** Whether the call was sent more than once, because the outcome of its first request was unknown. */
    public synchronized boolean wasRepeated() {
        return requests.size() > 1;
    }

    /** Whether this call sent a request with this id. */
    public synchronized boolean wasSentAs(RequestId id) {
        return requests.contains(id);
    }

    /**
     * The last request of this call in a session.
     *
     * @throws TransportException where the call was last sent in another session, which alone knows the request
     */
    synchronized RequestId requestIn(ServerSession used) throws TransportException {
        if (requests.isEmpty() || !used.equals(session)) {
            throw new TransportException(UNUSABLE, "The call was made in another session.");
        }
        return requests.getLast();
    }

    Call call() {
        return call;
    }

    Map<String, String> moreHeaders() {
        return headers;
    }

    /** How long after sending a cancellation surely reaches the call; null for a call that is not sent after it. */
    @Nullable
    Duration grace() {
        return grace;
    }

    /** The time limit for the answer, where a quick request has the limit {@code usual}. */
    Duration timeoutOr(Duration usual) {
        var own = timeout;
        return own == null ? usual : own;
    }

    /** Whether the server keeps each request of this call open for long, so that a gateway may end it for that. */
    boolean isHeld() {
        return timeout != null && call instanceof Call.AwaitOutcome;
    }

    synchronized void sending(ServerSession used, RequestId id) {
        session = used;
        requests.add(id);
    }

    /** Sets the present request or pause, and cancels it at once where the call was cancelled before. */
    void underway(Underway current) {
        boolean now;
        synchronized (this) {
            underway = current;
            now = cancelled;
        }
        if (now) {
            current.cancel().run();
        }
    }

    synchronized void nothingUnderway() {
        underway = NOTHING;
    }

    /** Notes that the server was told of the cancellation; an answer may still come. */
    synchronized void setTold() {
        told = true;
    }

    synchronized void setUnwanted() {
        unwanted = true;
    }

    synchronized boolean isUnwanted() {
        return unwanted || cancelled && grace == null;
    }

    synchronized NextStep.CallFacts facts(boolean renewed) {
        return new NextStep.CallFacts(isUnwanted(), told, begun, repeatable, renewed, failing);
    }

    void trouble(String sentence) {
        onTrouble.accept(sentence);
        clientsTrouble.accept(sentence);
    }

    /** The listener of this call. Questions on the stream of a call about a task belong to the task. */
    RequestListener listener(Answerers known) {
        boolean isTasks = answerer == null && call instanceof Call.AboutTask;
        var whose = isTasks ? known.of(((Call.AboutTask) call).taskId()) : answerer;
        boolean works = call instanceof Call.Interactive || call instanceof Call.AboutTask;
        return new RequestListener(onNotice, this::trouble, whose, pace, works);
    }
}
