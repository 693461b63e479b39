// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.backend.http.exchange.ApiResponse;
import io.longhaul.backend.http.response.ResponseReader;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResponseReaderTest {

    @Test
    void the_text_of_an_error_is_cut() {
        assertThat(said("x".repeat(2_001))).endsWith(": " + "x".repeat(2_000) + "...");
        assertThat(said("x".repeat(2_000))).endsWith(": " + "x".repeat(2_000));
        assertThat(said("x".repeat(1_999) + "\uD83D\uDE00")).endsWith(": " + "x".repeat(1_999) + "...");
    }

    private static String said(String message) {
        var reader = new ResponseReader(HttpJob.at("http://localhost/").build().description);
        var headers = HttpHeaders.of(Map.of(), (name, value) -> true);
        var body = "{\"message\":\"" + message + "\"}";
        return reader.said(new ApiResponse(URI.create("http://localhost/"), 503, headers, body.getBytes(UTF_8), false));
    }
}
