package io.longhaul.requestor.call;

import static io.longhaul.protocol.transport.TransportException.Kind.LOST;
import static io.longhaul.protocol.transport.TransportException.Kind.TIMEOUT;
import static io.longhaul.protocol.transport.TransportException.Kind.UNUSABLE;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.TransportException;
import io.longhaul.requestor.RequestorSettings;
import io.longhaul.requestor.connect.Connector;
import io.longhaul.requestor.connect.EncodedMessage;
import io.longhaul.requestor.connect.ServerSession;
import io.longhaul.requestor.exchange.ExchangeEnd;
import io.longhaul.requestor.exchange.PendingRequest;
import java.util.HashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends a call once, as one request of a session, with its timeout and its cancellation. Thread-safe. */
final class RequestSender {

    private static final Logger log = LoggerFactory.getLogger(RequestSender.class);

    private final Connector connector;
    private final RequestorSettings settings;

    RequestSender(Connector connector, RequestorSettings settings) {
        this.connector = connector;
        this.settings = settings;
    }

    ExchangeEnd send(ServerSession used, OutgoingCall call) throws TransportException {
        var out = encoded(used, call.call());
        var headers = new HashMap<>(used.with(out.headers()));
        headers.putAll(call.moreHeaders());
        var id = connector.nextId();
        var message = JsonRpcCodec.encode(new JsonRpcMessage.Request(id, out.method(), out.params()));
        var sent = new Sent(used, id, new PendingRequest(id, message, headers, call));
        var timeout = call.timeoutOr(settings.timeouts().request());
        call.sending(used, id);
        call.underway(
                new OutgoingCall.Underway(() -> cancel(sent, call), () -> sent.drop(LOST, "The answer did not come.")));
        try (var alarm = settings.time().after(timeout, () -> timedOut(sent))) {
            return used.connection()
                    .exchange(sent.request(), used.dialect().traits().resumable());
        } finally {
            call.nothingUnderway();
            sent.request().end();
        }
    }

    /** A request of a session. */
    private record Sent(ServerSession session, RequestId id, PendingRequest request) {
        void drop(TransportException.Kind kind, String reason) {
            request.drop(new TransportException(kind, reason));
        }
    }

    /** A server that speaks another generation than before may have no words for a call. */
    private ClientDialect.Outgoing encoded(ServerSession used, Call call) throws TransportException {
        try {
            return used.dialect().encode(call, settings.profile(used.dialect()));
        } catch (IllegalArgumentException e) {
            throw new TransportException(
                    UNUSABLE, e.getMessage() + ", and the server speaks nothing else with us now.", e);
        }
    }

    /** "The sender SHOULD issue a cancellation notification for that request and stop waiting for a response." */
    private void timedOut(Sent sent) {
        sent.drop(TIMEOUT, "The server did not answer in time.");
        tellCancelled(sent);
    }

    private void cancel(Sent sent, OutgoingCall call) {
        var grace = call.grace();
        if (grace == null) {
            drop(sent);
            return;
        }
        call.setTold();
        tellCancelled(sent);
        settings.time().after(grace, () -> {
            if (!sent.request().hasEnded()) {
                call.setUnwanted();
                drop(sent);
            }
        });
    }

    private void drop(Sent sent) {
        tellCancelled(sent);
        sent.drop(LOST, "The call was given up.");
    }

    /** Closing the response cancels a request of the newest generation over HTTP; all else takes a notification. */
    private void tellCancelled(Sent sent) {
        var used = sent.session();
        if (!used.connection().isLasting() && used.dialect().traits().closingCancels()) {
            return;
        }
        try {
            var cancel = EncodedMessage.notification(used, new Call.CancelRequest(sent.id(), null), settings);
            used.connection().post(cancel.message(), cancel.headers());
        } catch (TransportException e) {
            log.debug("the server was not told that a request is cancelled: {}", e.getMessage());
        }
    }
}
