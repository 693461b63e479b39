// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import java.time.Duration;
import java.time.Instant;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How many tasks of a work begin in any span of some time. Immutable.
 *
 * @param count  the most starts, 1 to 100,000
 * @param period the length of the span, positive
 */
public record Rate(int count, Duration period) {

    private static final int MOST = 100_000;
    private static final Pattern WRITTEN = Pattern.compile("\\s*(\\d{1,6})/([smh])\\s*");
    private static final Map<String, Duration> UNITS =
            Map.of("s", Duration.ofSeconds(1), "m", Duration.ofMinutes(1), "h", Duration.ofHours(1));

    /** @throws IllegalArgumentException when a value is out of its range, with a sentence that names the value */
    public Rate {
        if (count < 1 || count > MOST) {
            throw new IllegalArgumentException("a rate has 1 to " + MOST + " starts, not " + count);
        }
        if (!period.isPositive()) {
            throw new IllegalArgumentException("the period of a rate must be positive, not " + period);
        }
    }

    /** The rate that is written as {@code 10/m}, with {@code s}, {@code m} or {@code h}; empty where it is none. */
    public static Optional<Rate> parse(String text) {
        var written = WRITTEN.matcher(text);
        if (!written.matches()) {
            return Optional.empty();
        }
        int count = Integer.parseInt(written.group(1));
        return count < 1 || count > MOST ? Optional.empty() : Optional.of(new Rate(count, UNITS.get(written.group(2))));
    }

    /**
     * How many tasks may begin now. Drops the starts that no longer count; after the clock was set back, that is all of
     * them.
     *
     * @param starts the latest starts, oldest first
     */
    public int left(Deque<Instant> starts, Instant now) {
        if (!starts.isEmpty() && starts.getLast().isAfter(now)) {
            starts.clear();
        }
        while (!starts.isEmpty() && !starts.getFirst().plus(period).isAfter(now)) {
            starts.removeFirst();
        }
        return Math.max(0, count - starts.size());
    }
}
