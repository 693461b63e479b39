package io.longhaul.requestor;

import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.transport.TransportException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says to a server what has no answer, again and again until it was taken. Thread-safe. */
final class Telling {

    private static final Logger log = LoggerFactory.getLogger(Telling.class);

    private final Channel channel;
    private final Settings settings;
    private final Ready ready;
    private final Renewal renewal;

    /** A message in the words of a session. */
    record Spoken(JsonRpcMessage message, Map<String, String> headers) {}

    /** Gives the session that holds now. */
    interface Ready {
        Session get() throws TransportException, RequestorException;
    }

    /** Replaces a session that the server has forgotten. */
    interface Renewal {
        Session of(Session gone) throws TransportException, RequestorException;
    }

    Telling(Channel channel, Settings settings, Ready ready, Renewal renewal) {
        this.channel = channel;
        this.settings = settings;
        this.ready = ready;
        this.renewal = renewal;
    }

    /**
     * Says something until the server has taken it.
     *
     * @param words what to say in a session; empty where it makes no sense there
     * @return false where it could not be said
     */
    boolean tell(Function<Session, Optional<Spoken>> words) {
        var backoff = new Backoff(settings.time(), settings.patience().trouble());
        boolean renewed = false;
        while (true) {
            try {
                var used = ready.get();
                var spoken = words.apply(used);
                if (spoken.isEmpty()) {
                    return false;
                }
                var message = Wire.encode(spoken.get().message());
                var response = channel.line().line().tell(message, spoken.get().headers());
                if (Hurdle.isSessionGone(used, response)) {
                    renewal.of(used);
                    if (!renewed) {
                        renewed = true;
                        continue;
                    }
                } else if (!Hurdle.isBusy(response)) {
                    return true;
                }
            } catch (TransportException e) {
                log.debug("the server has not taken it yet: {}", e.getMessage());
            } catch (RequestorException e) {
                log.warn("the server could not be told: {}", e.getMessage());
                return false;
            }
            if (!pause(backoff)) {
                return false;
            }
        }
    }

    private boolean pause(Backoff backoff) {
        var wait = backoff.next(Duration.ZERO);
        if (wait == null || channel.isClosed()) {
            return false;
        }
        try {
            settings.time().pause(wait);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
