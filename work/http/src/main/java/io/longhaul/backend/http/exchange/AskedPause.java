// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.exchange;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** The pause that a response asks for before the next request, by its header {@code Retry-After}. */
public final class AskedPause {

    private static final Duration LONGEST = Duration.ofHours(1);

    private AskedPause() {}

    /** The pause in seconds or as a date (RFC 9110, 10.2.3), an hour at most; empty without a valid header. */
    public static Optional<Duration> of(HttpHeaders headers, Instant now) {
        return headers.firstValue("Retry-After").map(String::strip).flatMap(text -> wait(text, now));
    }

    private static Optional<Duration> wait(String text, Instant now) {
        if (text.matches("\\d{1,9}")) {
            return Optional.of(bounded(Duration.ofSeconds(Long.parseLong(text))));
        }
        try {
            var at = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME);
            return Optional.of(bounded(Duration.between(now, at.toInstant())));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Duration bounded(Duration wait) {
        return wait.isNegative() ? Duration.ZERO : wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    }
}
