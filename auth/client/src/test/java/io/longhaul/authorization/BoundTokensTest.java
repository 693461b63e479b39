// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.SignedJWT;
import io.longhaul.authorization.token.StoredTokens;
import java.net.URI;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens are bound to a key where the server takes such, and each request proves that the client has the key. */
@Timeout(60)
class BoundTokensTest extends OAuthFixture {

    private static final String ONLY_BOUND = "DPoP algs=\"ES256 PS256\"";

    @BeforeEach
    void serverTakesBoundTokens() {
        servers.behaviour.scheme = ONLY_BOUND;
        servers.behaviour.proofAlgorithms = List.of("PS256", "ES256");
    }

    @Test
    void each_request_has_a_proof_of_its_own_for_its_token_method_and_address() throws Exception {
        var authorizer = at(browser());
        for (int i = 0; i < 3; i++) {
            assertThat(request(authorizer)).isEqualTo(200);
        }
        assertThat(servers.proofs).hasSize(3).allSatisfy(proof -> {
            assertThat(proof.request()).isEqualTo("POST " + servers.server());
            assertThat(proof.made()).isEqualTo(now);
        });
        assertThat(new HashSet<>(servers.proofs.stream().map(Proof::id).toList()))
                .hasSize(3);
        assertThat(servers.tokenProofs).singleElement().satisfies(proof -> {
            assertThat(proof.request()).isEqualTo("POST " + servers.issuer() + "/token");
            assertThat(proof.hash()).isNull();
            assertThat(proof.key()).isEqualTo(servers.proofs.getFirst().key());
        });
        assertThat(opened).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "DELETE"})
    void a_proof_is_for_the_method_of_its_request_and_the_address_without_its_query(String method) throws Exception {
        request(at(browser()));
        var asked = URI.create(servers.server() + "?tenant=a");
        store.save(
                OAuthAuthorizer.name(asked),
                store.load(OAuthAuthorizer.name(servers.server())).orElseThrow());
        var headers = OAuth.kept(store).at(asked).headers(method);
        var claims = SignedJWT.parse(headers.get("DPoP")).getJWTClaimsSet();
        assertThat(claims.getStringClaim("htm")).isEqualTo(method);
        assertThat(claims.getStringClaim("htu")).isEqualTo(servers.server().toString());
    }

    @Test
    void the_nonces_of_both_servers_are_taken_into_proofs_and_kept_for_further_requests() throws Exception {
        servers.behaviour.nonce = "n1";
        servers.behaviour.tokenNonce = "t1";
        var authorizer = at(browser());
        assertThat(request(authorizer)).isEqualTo(200);
        assertThat(request(authorizer)).isEqualTo(200);
        assertThat(servers.tokenProofs).extracting(Proof::nonce).containsExactly(null, "t1");
        assertThat(servers.proofs).extracting(Proof::nonce).containsExactly(null, "n1", "n1");
        assertThat(opened).hasSize(1);
    }

    @Test
    void a_nonce_that_comes_with_a_good_answer_is_used_from_then_on() throws Exception {
        servers.behaviour.nonce = "n1";
        servers.behaviour.nextNonce = "n2";
        var authorizer = letIn(browser());
        servers.proofs.clear();
        assertThat(request(authorizer)).isEqualTo(200);
        assertThat(servers.proofs).extracting(Proof::nonce).containsExactly("n2");
    }

    @Test
    void a_server_that_never_takes_its_nonce_is_asked_no_more_than_a_few_times() throws Exception {
        servers.behaviour.tokenNonce = "t1";
        var authorizer = letIn(browser());
        servers.behaviour.nonce = "cut off at its end ";
        assertThat(request(authorizer)).isEqualTo(401);
        assertThat(servers.proofs).hasSizeLessThan(6);
        assertThat(opened).hasSize(1);
    }

    @Test
    void a_token_that_is_over_is_renewed_by_the_same_key_also_after_a_nonce() throws Exception {
        servers.behaviour.nonce = "n1";
        var authorizer = letIn(browser());
        servers.valid.clear();
        servers.behaviour.nonce = "n2";
        assertThat(request(authorizer)).isEqualTo(200);
        assertThat(servers.tokenRequests.getLast()).containsEntry("grant_type", "refresh_token");
        assertOneKey(servers.tokenProofs);
        assertThat(opened).hasSize(1);
    }

    @Test
    void the_key_is_kept_with_the_tokens_for_another_process() throws Exception {
        request(at(browser()));
        assertThat(request(at(OAuth.kept(store)))).isEqualTo(200);
        servers.valid.clear();
        assertThat(request(at(OAuth.kept(store)))).isEqualTo(200);
        assertOneKey(servers.proofs);
        assertThat(opened).hasSize(1);
    }

    @Test
    void a_token_that_is_not_bound_is_replaced_by_a_login_where_the_server_wants_bound_ones() throws Exception {
        servers.behaviour.scheme = "Bearer";
        var authorizer = letIn(browser());
        servers.valid.clear();
        servers.behaviour.scheme = ONLY_BOUND;
        assertThat(request(authorizer)).isEqualTo(200);
        assertThat(servers.inTokenRequests("grant_type")).containsExactly("authorization_code", "authorization_code");
    }

    @Test
    void a_bound_token_is_replaced_by_a_bound_one_whatever_scheme_the_refusal_names() throws Exception {
        var authorizer = letIn(browser());
        servers.behaviour.scheme = "Bearer";
        servers.behaviour.needed = List.of("write");
        assertThat(request(authorizer)).isEqualTo(200);
        assertThat(authorizer.headers("POST")).containsKey("DPoP");
    }

    @Test
    void a_server_may_demand_bound_tokens_by_its_metadata() throws Exception {
        servers.behaviour.scheme = "Bearer";
        servers.behaviour.demandsBound = true;
        assertThat(request(at(browser()))).isEqualTo(200);
        assertThat(servers.proofs).hasSize(1);
        servers.behaviour.proofAlgorithms = List.of();
        store.remove(OAuthAuthorizer.name(servers.server()));
        refused(browser(), "only tokens that are bound to a key");
    }

    @Test
    void tokens_are_not_bound_because_the_authorization_server_can() throws Exception {
        servers.behaviour.scheme = "Bearer";
        assertThat(request(at(browser()))).isEqualTo(200);
        assertThat(servers.tokenProofs).isEmpty();
    }

    @Test
    void a_server_that_takes_both_gets_what_its_authorization_server_can_give() throws Exception {
        servers.behaviour.scheme = "Bearer, " + ONLY_BOUND;
        assertThat(request(at(browser()))).isEqualTo(200);
        assertThat(servers.proofs).hasSize(1);
        store.remove(OAuthAuthorizer.name(servers.server()));
        servers.behaviour.proofAlgorithms = List.of("RS256");
        var authorizer = at(browser());
        assertThat(request(authorizer)).isEqualTo(200);
        assertThat(authorizer.headers("POST")).isEqualTo(Map.of("Authorization", "Bearer access2"));
    }

    @Test
    void an_authorization_server_that_does_not_bind_tokens_serves_no_server_that_takes_only_bound_ones() {
        servers.behaviour.proofAlgorithms = List.of();
        refused(browser(), "only tokens that are bound to a key");
        assertThat(opened).isEmpty();
    }

    @Test
    void a_bearer_token_in_place_of_a_bound_one_is_not_used() {
        servers.behaviour.tokenType = "bearer";
        refused(browser(), "no token of type DPoP");
    }

    @Test
    void neither_tokens_nor_keys_are_shown() throws Exception {
        request(at(browser()));
        var text = store.load(OAuthAuthorizer.name(servers.server())).orElseThrow();
        var tokens = StoredTokens.parse(text).orElseThrow();
        assertThat(text).contains("\\\"d\\\"");
        assertThat(tokens.toString()).doesNotContain("access1").doesNotContain("\"d\"");
        assertThat(tokens.key()).hasToString("key of a client");
    }

    private static void assertOneKey(Collection<Proof> proofs) {
        assertThat(proofs)
                .extracting(Proof::key)
                .isNotEmpty()
                .containsOnly(proofs.iterator().next().key());
    }
}
