// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.backend.http.ScriptedApi.Said;
import io.longhaul.engine.task.Outcome;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts by GET, which change nothing at the API and can be repeated without a key. */
class SafeStartTest extends ScriptedParts {

    private static final Said FOUND = Said.json(200, "{\"rows\":3}");

    private Outcome outcome(String method) throws Exception {
        var job = HttpJob.at(api.origin() + "/search").method(method).patience(Duration.ofMillis(1));
        return running(job).run(run);
    }

    private static String text(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Result result -> result.body().text();
            case Outcome.Failed failed -> failed.message();
            default -> throw new AssertionError(outcome);
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 502, 503, 504})
    void a_get_is_repeated_while_the_api_cannot_take_it(int status) throws Exception {
        api.on("GET /search", new Said(status, Map.of("Retry-After", "1"), "warming up"), FOUND);
        assertThat(text(outcome("GET"))).contains("rows");
        assertThat(api.seen).hasSize(2);
    }

    @Test
    void a_get_whose_connection_breaks_is_repeated() throws Exception {
        api.on("GET /search", Said.NOTHING, FOUND);
        assertThat(text(outcome("GET"))).contains("rows");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 404, 409, 500})
    void a_get_that_is_refused_is_not_repeated_and_fails_with_the_status_and_the_reason_of_the_api(int status)
            throws Exception {
        api.on("GET /search", Said.NOTHING, Said.json(status, "{\"error\":\"no such index\"}"), FOUND);
        assertThat(text(outcome("GET"))).contains(status + ": no such index");
        assertThat(api.seen).hasSize(2);
    }

    @Test
    void a_post_without_a_key_is_not_repeated_and_fails_with_the_status_and_the_reason_of_the_api() throws Exception {
        api.on("POST /search", Said.json(503, "{\"error\":\"warming up\"}"), FOUND);
        assertThat(text(outcome("POST"))).contains("503: warming up", "may have begun or not");
        assertThat(api.seen).hasSize(1);
    }
}
