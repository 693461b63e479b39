// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.schema;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations in annotations: {@code PT2H30M}, or short: {@code 500ms}, {@code 90s}, {@code 2h}. */
public final class DurationText {

    private static final Pattern SHORT = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

    private DurationText() {}

    /** @param what the name of the setting, for messages */
    public static Duration parse(String what, String text) {
        Matcher quick = SHORT.matcher(text);
        if (quick.matches()) {
            return of(Long.parseLong(quick.group(1)), quick.group(2));
        }
        try {
            return Duration.parse(text.toUpperCase(Locale.ROOT));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    what + " '" + text + "' is no duration: write it as PT2H30M, or as 500ms, 90s, 30m, 2h or 7d", e);
        }
    }

    private static Duration of(long count, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
    }
}
