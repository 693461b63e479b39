// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Growing pauses between attempts, until a timeout. For one thread. */
public final class Backoff {

    private static final Duration FIRST = Duration.ofMillis(250);
    private static final Duration LONGEST = Duration.ofSeconds(15);

    /** The longest pause that a server can ask for. */
    public static final Duration LONGEST_ASKED = Duration.ofMinutes(5);

    private final RequestorTime time;
    private final Duration timeout;
    private @Nullable Duration since;
    private int tries;

    /** @param timeout from the first failure to the last attempt */
    public Backoff(RequestorTime time, Duration timeout) {
        this.time = time;
        this.timeout = timeout;
    }

    /** Resets after a successful attempt: the next failure counts as the first. */
    public void reset() {
        since = null;
        tries = 0;
    }

    /**
     * An attempt that began at {@code begun}, by {@link RequestorTime#elapsed}, has failed now. It counts as a success
     * if it lasted long enough.
     */
    public void held(Duration begun) {
        if (time.elapsed().minus(begun).compareTo(LONGEST) > 0) {
            reset();
        }
    }

    /** Pauses before the next attempt; false, without a pause, where the timeout is over. */
    public boolean pause() throws InterruptedException {
        return pause(Duration.ZERO);
    }

    /** As {@link #pause()}, for at least the time that a server asked for, up to {@link #LONGEST_ASKED}. */
    public boolean pause(Duration atLeast) throws InterruptedException {
        var wait = next(atLeast);
        if (wait == null) {
            return false;
        }
        time.pause(wait);
        return true;
    }

    /** The next pause; null after the timeout. A part is random, so that many clients do not come back at once. */
    public @Nullable Duration next(Duration atLeast) {
        var now = time.elapsed();
        since = since == null ? now : since;
        if (now.minus(since).compareTo(timeout) >= 0) {
            return null;
        }
        var doubled = FIRST.multipliedBy(1L << Math.min(tries++, 10));
        var base = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
        var spread = base.toMillis() / 2 + (long) (base.toMillis() / 2.0 * time.chance());
        var wait = Duration.ofMillis(spread);
        var asked = atLeast.compareTo(LONGEST_ASKED) > 0 ? LONGEST_ASKED : atLeast;
        return asked.compareTo(wait) > 0 ? asked : wait;
    }
}
