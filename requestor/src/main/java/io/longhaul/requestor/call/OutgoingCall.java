// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.call;

import static io.longhaul.protocol.transport.TransportException.Kind.UNUSABLE;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.TransportException;
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
 * One call to a server, which may take several requests until it is answered. Any thread can cancel the call. Options
 * are set before the call is made; all else is thread-safe.
 */
public final class OutgoingCall {

    private static final Underway NOTHING = new Underway(() -> {}, () -> {});

    private volatile Call call;
    private final LinkedHashSet<RequestId> requests = new LinkedHashSet<>();
    private Map<String, String> headers = Map.of();
    private boolean repeatable = true;
    private volatile @Nullable Duration timeout;
    private @Nullable Duration grace;
    private Consumer<String> onTrouble = sentence -> {};
    private Consumer<Notice> onNotice = notice -> {};
    private @Nullable Answerer answerer;
    private volatile Underway underway = NOTHING;
    private boolean cancelled;
    private boolean unwanted;
    private boolean told;
    private boolean begun;
    private @Nullable ServerSession session;

    /**
     * The request that is under way, or the pause before the next one.
     *
     * @param cancel ends it, and tells the server
     * @param drop   ends it, and tells the server nothing
     */
    record Underway(Runnable cancel, Runnable drop) {}

    public OutgoingCall(Call call) {
        this.call = call;
    }

    public OutgoingCall headers(Map<String, String> more) {
        headers = Map.copyOf(more);
        return this;
    }

    /**
     * Whether the call may reach the server twice, when what became of its first request is unknown. True unless set.
     */
    public OutgoingCall repeatable(boolean safe) {
        repeatable = safe;
        return this;
    }

    /** The answer may take as long as it takes. */
    public OutgoingCall withoutTimeout() {
        return timeout(Duration.ofDays(365));
    }

    /** The answer may take this long, instead of as long as a quick request may take. */
    public OutgoingCall timeout(Duration limit) {
        timeout = limit;
        return this;
    }

    /**
     * The call has to reach the server in order to be cancelled there, because cancelling it cancels work that goes on
     * already. So the call is sent also after it was cancelled. The server is told of the cancellation at once, and
     * again after this long where it does not answer: the first message may have overtaken the call.
     */
    public OutgoingCall sentBeforeCancelled(Duration graceTime) {
        grace = graceTime;
        return this;
    }

    /** Wants log messages of this level and above, where a call says that and does not say so itself. */
    OutgoingCall logging(@Nullable String level) {
        if (call instanceof Call.Interactive asked && asked.extras().logLevel() == null) {
            call = asked.with(asked.extras().logging(level), asked.retry());
        }
        return this;
    }

    /** Listens to what is in the way, in one sentence each time before the call is sent again. */
    public OutgoingCall onTrouble(Consumer<String> listener) {
        onTrouble = listener;
        return this;
    }

    /** Listens to what the server sends on the stream of the call. */
    public OutgoingCall onNotice(Consumer<Notice> listener) {
        onNotice = listener;
        return this;
    }

    /** Answers what the server asks because of this call, in place of the answerer of the client; null for that one. */
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

    /** Stops waiting for the answer, and tells the server nothing: the work goes on. */
    public void abandon() {
        synchronized (this) {
            cancelled = true;
            unwanted = true;
        }
        underway.drop().run();
    }

    /** The answer should be there by now: the call is sent again, and has the timeout of a quick request. */
    public void hurry() {
        timeout = null;
        underway.drop().run();
    }

    /**
     * The server is known to have begun the work of the call, by what it has told beside the answer. The call is not
     * sent again from now on: a server that has forgotten the work would begin it anew.
     */
    public synchronized void setBegun() {
        begun = true;
    }

    /** Whether the call was sent more than once, because what became of its first request was unknown. */
    public synchronized boolean wasRepeated() {
        return requests.size() > 1;
    }

    /** Whether a request was one of this call. */
    public synchronized boolean wasSentAs(RequestId id) {
        return requests.contains(id);
    }

    /**
     * The last request of this call in a session.
     *
     * @throws TransportException where the call was last sent in another session, which knows the request alone
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

    /** How long after the call has gone out its cancellation may be final; null where that makes no difference. */
    @Nullable
    Duration grace() {
        return grace;
    }

    /** How long the answer may take, where a quick request may take {@code usual}. */
    Duration timeoutOr(Duration usual) {
        var own = timeout;
        return own == null ? usual : own;
    }

    synchronized void sending(ServerSession used, RequestId id) {
        session = used;
        requests.add(id);
    }

    /** Sets what is under way; it is cancelled at once where the call was cancelled before. */
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

    /** The server was told that the call is cancelled; an answer may still come. */
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
        return new NextStep.CallFacts(isUnwanted(), told, begun, repeatable, renewed);
    }

    void trouble(String sentence) {
        onTrouble.accept(sentence);
    }

    /** Questions on the stream of a call about a task are those of the task. */
    RequestListener listener(Answerers known) {
        boolean isTasks = answerer == null && call instanceof Call.AboutTask;
        var whose = isTasks ? known.of(((Call.AboutTask) call).taskId()) : answerer;
        return new RequestListener(onNotice, onTrouble, whose);
    }
}
