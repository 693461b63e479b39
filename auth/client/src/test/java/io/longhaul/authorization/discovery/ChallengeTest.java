// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server demands is read however its header is written. */
class ChallengeTest {

    private static Map<String, String> read(String... headers) {
        return Challenge.read(List.of(headers)).schemes().getOrDefault("bearer", Map.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer scope=\"a b\", error=invalid_token",
                "bearer SCOPE=\"a b\",Error=\"invalid_token\"",
                "Bearer scope = \"a b\" , error = invalid_token",
                "Basic realm=\"x, Bearer scope=\\\"no\\\"\", Bearer scope=\"a b\", error=invalid_token",
                "Negotiate abc==, Bearer scope=\"a b\", error=invalid_token, Basic realm=y",
                "Bearer scope=\"a b\", error=invalid_token, scope=\"no\", DPoP error=\"other\", more=1",
                "Bearer scope=\"a\\ b\", error=invalid_token,",
                "Bearer scope=\"a b\"=x, =y, error=invalid_token",
            })
    void a_challenge_is_found_among_others_and_in_any_spelling(String header) {
        assertThat(read(header)).isEqualTo(Map.of("scope", "a b", "error", "invalid_token"));
    }

    @Test
    void a_challenge_may_be_in_any_of_several_headers() {
        assertThat(read("Basic realm=x", "Bearer a=1", "Bearer a=2")).isEqualTo(Map.of("a", "1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "=", "Basic realm=\"Bearer\"", "Bearer", "Bearer abc", "\"", "Bearer ,=,"})
    void what_demands_nothing_by_this_scheme_has_no_parameters(String header) {
        assertThat(read(header).keySet()).doesNotContain("scope", "realm");
    }

    @Test
    void a_text_that_breaks_off_is_read_to_its_end() {
        assertThat(read("Bearer scope=\"a b")).isEqualTo(Map.of("scope", "a b"));
        assertThat(read("Bearer scope=\"a\\")).isEqualTo(Map.of("scope", "a\\"));
    }

    @Test
    void only_one_error_asks_for_more_scopes() {
        assertThat(Challenge.read(List.of("Bearer error=\"insufficient_scope\""))
                        .isInsufficientScope())
                .isTrue();
        assertThat(Challenge.read(List.of("Bearer error=\"invalid_token\"")).isInsufficientScope())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "'Bearer realm=x', true, false",
        "'DPoP algs=\"RS256 ES256\"', false, true",
        "'DPoP', false, true",
        "'Bearer, DPoP algs=\"ES256\"', true, true",
        "'DPoP algs=\"PS256\", Bearer error=x', true, false",
        "'Basic realm=\"DPoP\"', false, false",
    })
    void a_server_names_the_schemes_of_the_tokens_that_it_takes(String header, boolean bearer, boolean bound) {
        var challenge = Challenge.read(List.of(header));
        assertThat(challenge.takesBearer()).isEqualTo(bearer);
        assertThat(challenge.takesBound()).isEqualTo(bound);
    }

    @Test
    void what_a_server_demands_may_stand_with_either_scheme() {
        var either = Challenge.read(List.of("Bearer scope=\"a\", DPoP scope=\"b\", resource_metadata=\"m\""));
        assertThat(either.scopes()).containsExactly("a");
        assertThat(either.resourceMetadata()).hasValue("m");
        assertThat(Challenge.read(List.of("Basic scope=\"a\", resource_metadata=\"m\""))
                        .resourceMetadata())
                .isEmpty();
    }
}
