// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.protocol.transport.Share;
import java.util.HashMap;
import java.util.Map;

/** So many things at once of each {@link Share}, however many other callers have. Thread-safe. */
public final class Quota {

    private final int most;
    private final Map<Share, Integer> taken = new HashMap<>();

    public Quota(int most) {
        this.most = most;
    }

    /**
     * Takes one for as long as a call is being answered. It is given back before the response goes out, since the
     * reader of the response may call again at once.
     *
     * @return false where the share has as many as it may
     */
    public synchronized boolean acquire(Share share, LiveCall call) {
        int now = taken.getOrDefault(share, 0);
        if (now == most) {
            return false;
        }
        taken.put(share, now + 1);
        call.ended().thenRun(() -> release(share));
        return true;
    }

    private synchronized void release(Share share) {
        taken.computeIfPresent(share, (key, count) -> count == 1 ? null : count - 1);
    }
}
