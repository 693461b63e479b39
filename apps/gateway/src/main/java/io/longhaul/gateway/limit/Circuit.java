// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.limit;

import io.longhaul.protocol.Guard;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps calls from a server that gave no answer several times in a row. After a pause, one call tries the server: its
 * answer closes the circuit, and another failure doubles the pause. Thread-safe.
 */
public final class Circuit {

    /** After how many failures in a row the circuit opens. */
    public static final int FAILURES = 5;

    static final Duration FIRST = Duration.ofSeconds(5);
    static final Duration LONGEST = Duration.ofMinutes(1);

    private final InstantSource clock;
    private final Guard guard = new Guard();
    private int failures;
    private Duration pause = FIRST;
    private @Nullable Instant until;

    public Circuit(InstantSource clock) {
        this.clock = clock;
    }

    /** How long calls are refused from now on; empty where a call may be made, which may be the one that tries. */
    public Optional<Duration> refusal() {
        return guard.get(() -> {
            var left = left();
            if (until != null && left.isEmpty()) {
                // Others wait for the call that tries, whose end may never come.
                until = clock.instant().plus(pause);
            }
            return left;
        });
    }

    private Optional<Duration> left() {
        return Optional.ofNullable(until)
                .map(end -> Duration.between(clock.instant(), end))
                .filter(Duration::isPositive);
    }

    /** Whether calls are refused now. */
    public boolean isOpen() {
        return guard.get(() -> left().isPresent());
    }

    /** The server has answered, or is there again. */
    public void close() {
        guard.run(() -> {
            failures = 0;
            pause = FIRST;
            until = null;
        });
    }

    /**
     * The server gave no answer.
     *
     * @return for how long the circuit is open now; empty where it is closed, or was open before
     */
    public Optional<Duration> failed() {
        return guard.get(() -> {
            failures++;
            if (failures < FAILURES) {
                return Optional.empty();
            }
            boolean isFirst = failures == FAILURES;
            if (!isFirst) {
                pause = pause.multipliedBy(2).compareTo(LONGEST) > 0 ? LONGEST : pause.multipliedBy(2);
            }
            until = clock.instant().plus(pause);
            return isFirst ? Optional.of(pause) : Optional.empty();
        });
    }
}
