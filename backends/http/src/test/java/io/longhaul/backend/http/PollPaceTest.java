// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PollPaceTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static List<Duration> pauses(PollPace first, java.util.function.UnaryOperator<PollPace> then) {
        return Stream.iterate(first, then)
                .limit(20)
                .map(pace -> pace.next(Optional.empty(), 0.5))
                .toList();
    }

    private static ApiAnswer answer(String retryAfter, String body) {
        var headers = HttpHeaders.of(Map.of("Retry-After", List.of(retryAfter)), (name, value) -> true);
        return new ApiAnswer(URI.create("http://localhost/"), 503, headers, body.getBytes(UTF_8), false);
    }

    @Test
    void pauses_grow_up_to_a_ceiling() {
        assertThat(pauses(PollPace.of(null), PollPace::seen))
                .startsWith(Duration.ofMillis(500), Duration.ofMillis(750), Duration.ofMillis(1_125))
                .endsWith(Duration.ofSeconds(15))
                .isSorted();
    }

    @Test
    void pauses_in_trouble_double_up_to_a_ceiling() {
        assertThat(pauses(PollPace.of(null).troubled(), PollPace::troubled))
                .startsWith(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4))
                .endsWith(Duration.ofMinutes(1));
        assertThat(PollPace.of(null).troubled().seen().next(Optional.empty(), 0.5))
                .isEqualTo(Duration.ofMillis(750));
    }

    @Test
    void a_pause_of_the_author_stays_and_jobs_do_not_look_at_the_same_moment() {
        var pace = PollPace.of(Duration.ofSeconds(10));
        assertThat(pace.seen().seen().next(Optional.empty(), 0.5)).isEqualTo(Duration.ofSeconds(10));
        assertThat(pace.next(Optional.empty(), 0)).isEqualTo(Duration.ofSeconds(9));
        assertThat(pace.next(Optional.empty(), 1)).isEqualTo(Duration.ofSeconds(11));
    }

    @Test
    void what_the_api_asks_for_is_the_least() {
        var asked = Optional.of(Duration.ofSeconds(20));
        assertThat(PollPace.of(Duration.ofSeconds(1)).next(asked, 0)).isBetween(asked.get(), Duration.ofSeconds(22));
        assertThat(PollPace.of(null).troubled().next(asked, 1)).isBetween(asked.get(), Duration.ofSeconds(22));
        var soon = Optional.of(Duration.ZERO);
        assertThat(PollPace.of(Duration.ofSeconds(1)).next(soon, 0.5)).isZero();
        assertThat(PollPace.of(null).troubled().next(soon, 0.5)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void an_api_may_ask_for_an_hour_at_most() {
        assertThat(answer("3601", "").retryAfter(NOW)).contains(Duration.ofHours(1));
        assertThat(answer("3599", "").retryAfter(NOW)).contains(Duration.ofSeconds(3_599));
        assertThat(answer("Thu, 1 Jan 2026 00:00:30 GMT", "").retryAfter(NOW)).contains(Duration.ofSeconds(30));
        assertThat(answer("Wed, 31 Dec 2025 00:00:00 GMT", "").retryAfter(NOW)).contains(Duration.ZERO);
        assertThat(answer("soon", "").retryAfter(NOW)).isEmpty();
    }

    @Test
    void the_text_of_an_error_is_cut() {
        var mapping = new Mapping(Map.of(), JobStates.USUAL);
        var tooLong = "{\"message\":\"" + "x".repeat(2_001) + "\"}";
        assertThat(answer("0", tooLong).error(mapping)).hasSize(2_003).endsWith("x...");
        assertThat(answer("0", "{\"message\":\"" + "x".repeat(2_000) + "\"}").error(mapping))
                .hasSize(2_000);
    }
}
