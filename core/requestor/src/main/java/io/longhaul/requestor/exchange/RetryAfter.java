// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.exchange;

import io.longhaul.protocol.transport.client.ServerReply;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** The header {@code Retry-After} of RFC 9110: "either an HTTP-date or a number of seconds". */
final class RetryAfter {

    private RetryAfter() {}

    /** How long the server wants the client to wait from {@code now} on; empty where the server names no valid time. */
    static Optional<Duration> of(ServerReply reply, Instant now) {
        return reply.header("Retry-After").map(String::strip).flatMap(value -> after(value, now));
    }

    private static Optional<Duration> after(String value, Instant now) {
        try {
            var wait = value.matches("\\d{1,9}")
                    ? Duration.ofSeconds(Long.parseLong(value))
                    : Duration.between(now, DateTimeFormatter.RFC_1123_DATE_TIME.parse(value, Instant::from));
            return Optional.of(wait.isNegative() ? Duration.ZERO : wait);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
