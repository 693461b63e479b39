package io.longhaul.requestor.connect;

import io.longhaul.protocol.transport.TransportException;
import io.longhaul.requestor.Backoff;
import io.longhaul.requestor.RequestorSettings;
import io.longhaul.requestor.exchange.ExchangeEnd;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends messages that have no response, again until the server has taken them. Thread-safe. */
public final class MessageDelivery {

    private static final Logger log = LoggerFactory.getLogger(MessageDelivery.class);

    private final Connector connector;
    private final CurrentSession session;
    private final RequestorSettings settings;

    public MessageDelivery(Connector connector, CurrentSession session, RequestorSettings settings) {
        this.connector = connector;
        this.session = session;
        this.settings = settings;
    }

    /**
     * Sends a message until the server has taken it.
     *
     * @param words of the message in a session; empty where the message makes no sense there
     * @return false where the message could not be delivered
     */
    public boolean deliver(Function<ServerSession, Optional<EncodedMessage>> words) {
        var backoff = settings.backoff();
        boolean renewed = false;
        while (true) {
            try {
                var used = session.ready();
                var message = words.apply(used);
                if (message.isEmpty()) {
                    return false;
                }
                switch (post(used, message.get())) {
                    case ExchangeEnd.UnknownSession unknown -> {
                        session.renew(used);
                        if (!renewed) {
                            renewed = true;
                            continue;
                        }
                    }
                    case ExchangeEnd.Busy busy -> log.debug("the server is busy (HTTP {})", busy.status());
                    default -> {
                        return true;
                    }
                }
            } catch (TransportException e) {
                log.debug("the server has not taken a message yet: {}", e.getMessage());
            } catch (ConnectException e) {
                log.warn("the server could not be told: {}", e.getMessage());
                return false;
            }
            if (!pause(backoff)) {
                return false;
            }
        }
    }

    private static ExchangeEnd post(ServerSession used, EncodedMessage message) throws TransportException {
        return used.connection().post(message.message(), message.headers());
    }

    private boolean pause(Backoff backoff) {
        try {
            return !connector.isClosed() && backoff.pause();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
