package io.longhaul.requestor;

import static io.longhaul.protocol.transport.TransportException.Kind.LOST;
import static io.longhaul.protocol.transport.TransportException.Kind.TIMEOUT;
import static io.longhaul.protocol.transport.TransportException.Kind.UNUSABLE;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.transport.TransportException;
import java.time.Duration;
import java.util.HashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Single requests and their responses, which can be given up while they are waited for. Thread-safe. */
final class Exchanges {

    private static final Logger log = LoggerFactory.getLogger(Exchanges.class);

    private final Channel channel;
    private final Settings settings;
    private final Greeting greeting;

    Exchanges(Channel channel, Settings settings, Greeting greeting) {
        this.channel = channel;
        this.settings = settings;
        this.greeting = greeting;
    }

    /** Sends a call once, in the words of a session. */
    Response of(Session used, Ask ask) throws TransportException {
        var out = encoded(used, ask.call());
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

    /** Of a server that now speaks another generation than before some calls cannot be made. */
    private ClientDialect.Outgoing encoded(Session used, Call call) throws TransportException {
        try {
            return used.dialect().encode(call, greeting.me(used.dialect()));
        } catch (IllegalArgumentException e) {
            throw new TransportException(
                    UNUSABLE, e.getMessage() + ", and the server speaks nothing else with us now.", e);
        }
    }

    private Duration limit(Ask ask) {
        return ask.limit(settings.patience().request()).orElse(Duration.ofDays(365));
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
                var out = used.dialect().encode(new Call.CancelRequest(sent.id(), null), greeting.me(used.dialect()));
                line.tell(
                        Wire.encode(new JsonRpcMessage.Notification(out.method(), out.params())),
                        used.with(out.headers()));
            }
        } catch (TransportException e) {
            log.debug("the server was not told that a request was given up: {}", e.getMessage());
        }
    }
}
