// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.protocol.transport.Share;
import java.util.HashMap;
import java.util.Map;

/** Limits how many things each {@link Share} has at once, independent of other callers. Thread-safe. */
public final class Quota {

    private final int most;
    private final Map<Share, Integer> taken = new HashMap<>();

    public Quota(int most) {
        this.most = most;
    }

    /**
     * Takes a place for as long as a call is being answered. The place is free again before the response goes out,
     * because the reader of the response may call again at once.
     *
     * @return false where the share has reached its limit
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
