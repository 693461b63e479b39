package io.longhaul.requestor;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How long to wait before the next try, and whether there is one. For one thread. */
final class Backoff {

    private static final Duration FIRST = Duration.ofMillis(250);
    private static final Duration LONGEST = Duration.ofSeconds(15);

    /** A server that asks for more is tried again after this all the same. */
    static final Duration LONGEST_ASKED = Duration.ofMinutes(5);

    private final RequestorTime time;
    private final Duration patience;
    private @Nullable Instant since;
    private int tries;

    Backoff(RequestorTime time, Duration patience) {
        this.time = time;
        this.patience = patience;
    }

    /** All is well again. */
    void reset() {
        since = null;
        tries = 0;
    }

    /** What was tried at {@code begun} held until now: all was well if that was for long enough. */
    void held(Instant begun) {
        if (Duration.between(begun, time.now()).compareTo(LONGEST) > 0) {
            reset();
        }
    }

    /**
     * The time to wait, with some chance in it so that many clients do not come back at once.
     *
     * @param atLeast what the server asked for, which is cut to {@link #LONGEST_ASKED}
     * @return null when patience is at its end
     */
    @Nullable
    Duration next(Duration atLeast) {
        var now = time.now();
        since = since == null ? now : since;
        if (Duration.between(since, now).compareTo(patience) >= 0) {
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
