// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Signatures, by the examples that their authors have published. */
class SignedHeadersTest {

    /** The example of the libraries of Standard Webhooks. */
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    private static final Instant TIME = Instant.ofEpochSecond(1614265330);
    private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(UTF_8);
    private static final String SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    private static Optional<SignedHeaders> standard(String id, String time, String signature, Instant now) {
        var headers = Map.of("webhook-id", id, "webhook-timestamp", time, "webhook-signature", signature);
        return SignedHeaders.of(SignatureScheme.STANDARD, name -> Optional.ofNullable(headers.get(name)), now);
    }

    private static Optional<SignedHeaders> signed(String signature) {
        return standard(ID, "1614265330", signature, TIME);
    }

    private static boolean isGood(Optional<SignedHeaders> claim, String secret, byte[] body) throws IOException {
        return claim.orElseThrow().isSigned(List.of(Signatures.key(secret)), body);
    }

    @Test
    void the_published_example_of_standard_webhooks_is_made_and_taken() throws IOException {
        assertThat(Signatures.sign(Signatures.key(SECRET), ID, TIME.getEpochSecond(), BODY))
                .isEqualTo(SIGNATURE);
        assertThat(isGood(signed(SIGNATURE), SECRET, BODY)).isTrue();
        assertThat(signed(SIGNATURE).orElseThrow().id()).isEqualTo(ID);
    }

    @Test
    void one_of_several_signatures_and_one_of_several_keys_will_do() throws IOException {
        var several = signed("v1a,b3RoZXI= v1,b3RoZXI= v1,no-base64 " + SIGNATURE);
        assertThat(isGood(several, SECRET, BODY)).isTrue();
        assertThat(signed(SIGNATURE)
                        .orElseThrow()
                        .isSigned(List.of(Signatures.key("new"), Signatures.key(SECRET)), BODY))
                .isTrue();
    }

    @Test
    void another_key_body_id_or_time_is_not_what_was_signed() throws IOException {
        assertThat(isGood(signed(SIGNATURE), "another", BODY)).isFalse();
        assertThat(isGood(signed(SIGNATURE), SECRET, "{}".getBytes(UTF_8))).isFalse();
        assertThat(isGood(standard("msg_other", "1614265330", SIGNATURE, TIME), SECRET, BODY))
                .isFalse();
        assertThat(isGood(standard(ID, "1614265331", SIGNATURE, TIME), SECRET, BODY))
                .isFalse();
        assertThat(isGood(signed("v1,"), SECRET, BODY)).isFalse();
    }

    @Test
    void a_time_that_is_five_minutes_away_is_taken_and_no_other() {
        for (var way : List.of(1, -1)) {
            var edge = TIME.plus(SignatureScheme.TOLERANCE.multipliedBy(way));
            assertThat(standard(ID, "1614265330", SIGNATURE, edge)).isPresent();
            var late = edge.plus(Duration.ofSeconds(way));
            assertThat(standard(ID, "1614265330", SIGNATURE, late)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1614265330", "1614265330.0", "99999999999999999999", "now", "1614265330 "})
    void a_time_that_is_no_number_of_seconds_claims_nothing(String time) {
        assertThat(standard(ID, time, SIGNATURE, TIME)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\tb", "\u00e9"})
    void an_id_that_is_no_word_claims_nothing(String id) {
        assertThat(standard(id, "1614265330", SIGNATURE, TIME)).isEmpty();
        assertThat(standard("x".repeat(257), "1614265330", SIGNATURE, TIME)).isEmpty();
    }

    @Test
    void a_header_that_is_missing_claims_nothing() {
        assertThat(SignedHeaders.of(SignatureScheme.STANDARD, name -> Optional.empty(), TIME))
                .isEmpty();
        assertThat(SignedHeaders.of(SignatureScheme.GITHUB, name -> Optional.empty(), TIME))
                .isEmpty();
        assertThat(signed("g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")).isEmpty();
    }

    /** The example of GitHub's documentation. */
    @Test
    void the_published_example_of_github_is_taken() throws IOException {
        var signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
        var headers = Map.of("X-Hub-Signature-256", signature, "X-GitHub-Delivery", "72d3162e");
        var claim = SignedHeaders.of(SignatureScheme.GITHUB, name -> Optional.ofNullable(headers.get(name)), TIME);
        assertThat(isGood(claim, "It's a Secret to Everybody", "Hello, World!".getBytes(UTF_8)))
                .isTrue();
        assertThat(isGood(claim, "It's a Secret to Everybody", "Hello, World?".getBytes(UTF_8)))
                .isFalse();
    }

    @Test
    void a_secret_that_is_no_base64_is_refused_and_not_quoted() {
        for (var secret : List.of("whsec_", "whsec_%%%")) {
            assertThatIOException().isThrownBy(() -> Signatures.key(secret)).withMessageNotContaining("%");
        }
    }
}
