// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.rpc.RequestId;

/**
 * Cancellations that came before their requests: over HTTP one message may overtake another. A session remembers the
 * latest of these cancellations, and the latest ended requests, which can no longer be cancelled. Thread-safe.
 */
final class EarlyCancellations {

    private static final int MOST = 40;

    private enum Known {
        CANCELLED,
        ENDED
    }

    private final BoundedMap<RequestId, Known> latest = BoundedMap.byInsertion(MOST);

    /** Cancels a request that is still to come. A request that has ended is not cancelled. */
    synchronized void cancel(RequestId id) {
        if (latest.get(id) != Known.ENDED) {
            latest.putLast(id, Known.CANCELLED);
        }
    }

    /** The request has come; true where it was cancelled before. */
    synchronized boolean arrived(RequestId id) {
        return latest.remove(id) == Known.CANCELLED;
    }

    synchronized void ended(RequestId id) {
        latest.putLast(id, Known.ENDED);
    }
}
