// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.call;

import static io.longhaul.protocol.transport.client.TransportException.Kind.LOST;
import static io.longhaul.protocol.transport.client.TransportException.Kind.TIMEOUT;
import static io.longhaul.protocol.transport.client.TransportException.Kind.UNUSABLE;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.Backoff;
import io.longhaul.requestor.RequestorSettings;
import io.longhaul.requestor.connect.Connector;
import io.longhaul.requestor.connect.CurrentSession;
import io.longhaul.requestor.connect.ServerSession;
import io.longhaul.requestor.connect.VersionNegotiation;
import io.longhaul.requestor.exchange.ExchangeResult;
import io.longhaul.requestor.exchange.PendingRequest;
import java.time.Duration;
import java.util.HashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends calls, and messages that have no response, and repeats them until {@link NextStep} says that they have ended.
 * Each request has a timeout, and can be cancelled. Thread-safe.
 */
record CallSender(
        Connector connector, VersionNegotiation negotiation, CurrentSession session, RequestorSettings settings) {

    private static final Logger log = LoggerFactory.getLogger(CallSender.class);

    /** How long a call that is given up waits for the server to take the news. */
    private static final Duration TO_TELL = Duration.ofSeconds(3);

    /** One attempt in a session. */
    interface Try {
        ExchangeResult in(ServerSession used) throws TransportException;
    }

    /** Makes a call, and repeats it where that is needed and safe. */
    CallResult ask(OutgoingCall call) {
        try (var asked = connector.answerers().underway(call.answerer())) {
            return repeat(call, used -> send(used, call));
        }
    }

    /**
     * Sends a message that has no response, until the server has taken it. A server that rejects the message has
     * received it, unless the server wants an authorization.
     *
     * @return false where the message could not be delivered
     */
    boolean deliver(Try message) {
        var end = repeat(new OutgoingCall(new Call.Initialized()), used -> {
            var posted = message.in(used);
            return posted instanceof ExchangeResult.Rejected rejected && !rejected.isUnauthorized()
                    ? new ExchangeResult.Accepted()
                    : posted;
        });
        if (end instanceof CallResult.Failed failed) {
            log.debug("a message was not delivered: {}", failed.reason());
        }
        return end instanceof CallResult.Answered;
    }

    private CallResult repeat(OutgoingCall call, Try exchange) {
        var backoff = settings.backoff();
        boolean renewed = false;
        boolean begun = false;
        while (true) {
            var start = settings.time().elapsed();
            switch (attempt(call, exchange, renewed)) {
                case NextStep.Finish(var end) -> {
                    return end;
                }
                case NextStep.Repeat(var trouble, var refused) -> {
                    begun = begun || NextStep.mayHaveBegun(trouble);
                    if (trouble.kind() == LOST || (trouble.kind() == TIMEOUT && call.isHeld())) {
                        backoff.held(start);
                    }
                    if (!pause(call, backoff, trouble)) {
                        return refused == null || call.isUnwanted() ? stopped(call, trouble, begun) : refused;
                    }
                }
                case NextStep.Renew(var dialect, var trouble) -> {
                    if (renewed && !pause(call, backoff, trouble)) {
                        return stopped(call, trouble, begun);
                    }
                    renewed = true;
                }
            }
        }
    }

    /** Runs one exchange, and agrees on another session where {@link NextStep} says so. */
    private NextStep attempt(OutgoingCall call, Try exchange, boolean renewed) {
        try {
            var used = session.ready();
            var end = ExchangeResult.of(() -> exchange.in(used));
            if (end instanceof ExchangeResult.Broken && Thread.currentThread().isInterrupted()) {
                return new NextStep.Finish(new CallResult.Cancelled());
            }
            var step = NextStep.after(end, call.call(), call.facts(renewed), used.dialect(), negotiation::another);
            if (step instanceof NextStep.Renew(var dialect, var trouble)) {
                session.renew(used, dialect);
            }
            return step;
        } catch (TransportException e) {
            return Thread.currentThread().isInterrupted()
                    ? new NextStep.Finish(new CallResult.Cancelled())
                    : NextStep.withoutSession(e, call.facts(renewed));
        }
    }

    /** @param begun whether the server may have begun the call */
    private static CallResult stopped(OutgoingCall call, TransportException trouble, boolean begun) {
        if (call.isUnwanted()) {
            return new CallResult.Cancelled();
        }
        return begun
                ? new CallResult.OutcomeUnknown(
                        "The server may have begun the work, and was out of reach for too long since. "
                                + trouble.getMessage(),
                        trouble)
                : new CallResult.Lost(trouble);
    }

    /** Pauses before the call is repeated; false where it is not repeated, or was cancelled meanwhile. */
    private boolean pause(OutgoingCall call, Backoff backoff, TransportException trouble) {
        var wait = backoff.next(trouble.retryAfter());
        if (wait == null || connector.isClosed()) {
            return false;
        }
        call.trouble(String.valueOf(trouble.getMessage()));
        var sleeper = Thread.currentThread();
        Runnable wakeUp = () -> {
            call.setUnwanted();
            sleeper.interrupt();
        };
        call.underway(new OutgoingCall.Underway(wakeUp, () -> {}));
        try {
            settings.time().pause(wait);
            return !call.isUnwanted();
        } catch (InterruptedException e) {
            if (!call.isUnwanted()) {
                Thread.currentThread().interrupt();
                call.cancel();
            }
            return false;
        } finally {
            call.nothingUnderway();
        }
    }

    private ExchangeResult send(ServerSession used, OutgoingCall call) throws TransportException {
        var out = encoded(used, call);
        var headers = new HashMap<>(used.with(out.headers()));
        headers.putAll(call.moreHeaders());
        var sent = new Sent(used, connector.request(out, headers, call.listener(connector.answerers())));
        var timeout = call.timeoutOr(settings.timeouts().request());
        call.sending(used, sent.request().id());
        call.underway(
                new OutgoingCall.Underway(() -> cancel(sent, call), () -> sent.drop(LOST, "The answer did not come.")));
        try (var alarm = sent.request().limit(settings.time(), timeout, () -> timedOut(sent))) {
            return used.connection().exchange(sent.request(), used.manner().resumes());
        } finally {
            call.nothingUnderway();
            sent.request().end();
        }
    }

    private record Sent(ServerSession session, PendingRequest request) {
        void drop(TransportException.Kind kind, String reason) {
            request.drop(new TransportException(kind, reason));
        }
    }

    /** Encodes a call. After a change of the generation, the new one may lack the call. */
    private ClientDialect.Outgoing encoded(ServerSession used, OutgoingCall call) throws TransportException {
        try {
            return used.dialect()
                    .encode(call.call(), settings.answeredBy(call.answerer()).profile(used.dialect()));
        } catch (IllegalArgumentException e) {
            throw new TransportException(
                    UNUSABLE, e.getMessage() + ", and the server speaks nothing else with us now.", e);
        }
    }

    /** "The sender SHOULD issue a cancellation notification for that request and stop waiting for a response." */
    private void timedOut(Sent sent) {
        // Not on the thread of the alarm, which the end of the request interrupts.
        tellCancelledAside(sent);
        sent.drop(TIMEOUT, "The server did not answer in time.");
    }

    private void cancel(Sent sent, OutgoingCall call) {
        var grace = call.grace();
        if (grace == null) {
            drop(sent);
            return;
        }
        call.setTold();
        // On a thread of its own: the server may hang, and the call may not have been sent yet.
        tellCancelledAside(sent);
        sent.request().until(settings.time().after(grace, () -> {
            if (!sent.request().hasEnded()) {
                call.setUnwanted();
                drop(sent);
            }
        }));
    }

    /** Tells the server before the call ends, as the program may end with the call; waits for no server that hangs. */
    private void drop(Sent sent) {
        Runnable drop = () -> sent.drop(LOST, "The call was given up.");
        sent.request().until(settings.time().after(TO_TELL, drop));
        tellCancelled(sent);
        drop.run();
    }

    private void tellCancelledAside(Sent sent) {
        Thread.ofVirtual().name("longhaul-client-cancel").start(() -> tellCancelled(sent));
    }

    /** Tells the server of a cancellation, unless closing the response does, as in the newest generation over HTTP. */
    private void tellCancelled(Sent sent) {
        var used = sent.session();
        if (!used.connection().isLasting() && used.manner().closingCancels()) {
            return;
        }
        try {
            used.tell(new Call.CancelRequest(sent.request().id(), null), settings);
        } catch (TransportException e) {
            log.debug("the server was not told that a request is cancelled: {}", e.getMessage());
        }
    }
}
