package io.longhaul.transport.http;

import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.transport.Connection;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.HttpAnswer;
import io.longhaul.protocol.transport.Share;
import io.longhaul.protocol.transport.TurnedAway;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * "Servers MUST rate limit tool invocations": passes on so many messages of one caller in a second, with a second's
 * worth at once, and answers the others with 429. A caller is a {@link Share}. Thread-safe.
 */
final class RateLimited implements Endpoint {

    /** How many callers are told apart; the one that has been silent the longest is forgotten, and begins anew. */
    static final int CALLERS = 10_000;

    private static final long SECOND = 1_000_000_000L;

    private final Endpoint endpoint;
    private final long each;
    private final LongSupplier nanos;

    /** When each caller will have used up what it sent, at its rate. */
    private final Map<Share, Long> usedUntil = BoundedMap.byUse(CALLERS);

    RateLimited(Endpoint endpoint, int perSecond, LongSupplier nanos) {
        this.endpoint = endpoint;
        each = SECOND / perSecond;
        this.nanos = nanos;
    }

    @Override
    public Runnable accept(byte[] message, Exchange exchange) {
        return takes(exchange.share(), JsonRpcCodec.count(message))
                ? endpoint.accept(message, exchange)
                : () -> refuse(exchange);
    }

    @Override
    public void listen(Exchange exchange) {
        if (takes(exchange.share(), 1)) {
            endpoint.listen(exchange);
        } else {
            refuse(exchange);
        }
    }

    @Override
    public void leave(Exchange exchange) {
        endpoint.leave(exchange);
    }

    @Override
    public void turnedAway(TurnedAway message) {
        endpoint.turnedAway(message);
    }

    @Override
    public void inputEnded(Connection connection) {
        endpoint.inputEnded(connection);
    }

    @Override
    public void closed(Connection connection) {
        endpoint.closed(connection);
    }

    /**
     * More than a second's worth at once is taken from a caller that has nothing used up, and then nothing for as long.
     */
    private synchronized boolean takes(Share caller, int messages) {
        long now = nanos.getAsLong();
        Long before = usedUntil.get(caller);
        long ahead = before == null ? 0 : Math.max(before - now, 0);
        long used = messages * each;
        if (ahead + Math.min(used, SECOND) > SECOND) {
            return false;
        }
        usedUntil.put(caller, now + ahead + used);
        return true;
    }

    private void refuse(Exchange exchange) {
        var address = exchange.remoteAddress().orElse(null);
        endpoint.turnedAway(new TurnedAway(TurnedAway.TOO_MANY_REQUESTS, exchange.principal(), address));
        exchange.answer(new HttpAnswer(TurnedAway.TOO_MANY_REQUESTS, Map.of("Retry-After", "1"), null));
    }
}
