package io.longhaul.receiver.session;

import io.longhaul.protocol.rpc.RequestId;
import java.util.LinkedHashSet;
import java.util.SequencedSet;

/**
 * Cancellations that came before their requests: over HTTP one message may overtake another. A session remembers the
 * latest of them, and the latest requests that have ended, which no cancellation reaches any more. Thread-safe.
 */
final class EarlyCancellations {

    private static final int MOST = 20;

    private final SequencedSet<RequestId> cancelled = new LinkedHashSet<>();
    private final SequencedSet<RequestId> ended = new LinkedHashSet<>();

    /** Cancels a request that is still to come; one that has ended is not cancelled. */
    synchronized void cancel(RequestId id) {
        if (!ended.contains(id)) {
            remember(cancelled, id);
        }
    }

    /** The request has come. True where it was cancelled before. */
    synchronized boolean arrived(RequestId id) {
        ended.remove(id);
        return cancelled.remove(id);
    }

    synchronized void ended(RequestId id) {
        cancelled.remove(id);
        remember(ended, id);
    }

    private static void remember(SequencedSet<RequestId> ids, RequestId id) {
        ids.addLast(id);
        if (ids.size() > MOST) {
            ids.removeFirst();
        }
    }
}
