// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ApiResponseTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static ApiResponse asking(String retryAfter) {
        var headers = HttpHeaders.of(Map.of("Retry-After", List.of(retryAfter)), (name, value) -> true);
        return new ApiResponse(URI.create("http://localhost/"), 503, headers, new byte[0], false);
    }

    @Test
    void an_api_may_ask_for_an_hour_at_most() {
        assertThat(asking("3601").retryAfter(NOW)).contains(Duration.ofHours(1));
        assertThat(asking("3599").retryAfter(NOW)).contains(Duration.ofSeconds(3_599));
        assertThat(asking("Thu, 1 Jan 2026 00:00:30 GMT").retryAfter(NOW)).contains(Duration.ofSeconds(30));
        assertThat(asking("Wed, 31 Dec 2025 00:00:00 GMT").retryAfter(NOW)).contains(Duration.ZERO);
        assertThat(asking("soon").retryAfter(NOW)).isEmpty();
    }
}
