// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.text;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 500ms}, {@code 90s}, {@code 5m}, {@code 1h30m}, {@code 2d}. */
public final class WrittenDuration {
    /** What to write, for error messages. */
    public static final String ADVICE = "Write a number and a unit, such as 90s, 5m, 1h30m or 2d";

    private static final Pattern WHOLE = Pattern.compile("(?:\\d{1,9}(?:ms|s|m|h|d))+");
    private static final Pattern PART = Pattern.compile("(\\d+)(ms|s|m|h|d)");

    private WrittenDuration() {}

    /** The duration, always longer than zero, or empty where {@code text} is none. */
    public static Optional<Duration> parse(String text) {
        var trimmed = text.strip();
        if (!WHOLE.matcher(trimmed).matches()) {
            return Optional.empty();
        }
        var sum = Duration.ZERO;
        var parts = PART.matcher(trimmed);
        while (parts.find()) {
            long count = Long.parseLong(parts.group(1));
            sum = sum.plus(
                    switch (parts.group(2)) {
                        case "ms" -> Duration.ofMillis(count);
                        case "s" -> Duration.ofSeconds(count);
                        case "m" -> Duration.ofMinutes(count);
                        case "h" -> Duration.ofHours(count);
                        default -> Duration.ofDays(count);
                    });
        }
        return sum.isZero() ? Optional.empty() : Optional.of(sum);
    }
}
