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
import org.junit.jupiter.api.Test;

class ApiAnswerTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static ApiAnswer answer(String retryAfter, String body) {
        var headers = HttpHeaders.of(Map.of("Retry-After", List.of(retryAfter)), (name, value) -> true);
        return new ApiAnswer(URI.create("http://localhost/"), 503, headers, body.getBytes(UTF_8), false);
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
        assertThat(answer("0", "{\"message\":\"" + "x".repeat(1_999) + "\uD83D\uDE00\"}")
                        .error(mapping))
                .isEqualTo("x".repeat(1_999) + "...");
    }
}
