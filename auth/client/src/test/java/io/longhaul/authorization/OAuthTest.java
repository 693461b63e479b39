// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.util.URLUtils;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.protocol.transport.client.RequestAuthorizer.Refusal;
import java.net.URI;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A client is let in by a server: it finds where to ask, and a person logs in. */
@Timeout(60)
class OAuthTest extends OAuthFixture {

    @Test
    void a_person_logs_in_once_and_the_token_goes_with_every_request() throws Exception {
        var authorizer = at(browser().name("Tester"));
        assertThat(request(authorizer)).isEqualTo(200);
        assertThat(request(authorizer)).isEqualTo(200);
        assertThat(servers.logins)
                .singleElement()
                .satisfies(login -> assertThat(login)
                        .containsEntry("response_type", "code")
                        .containsEntry("client_id", "c1")
                        .containsEntry("code_challenge_method", "S256")
                        .containsEntry("resource", servers.server().toString())
                        .containsKeys("code_challenge", "state")
                        .doesNotContainKey("scope"));
        assertThat(servers.tokenRequests)
                .singleElement()
                .satisfies(form -> assertThat(form)
                        .containsEntry("grant_type", "authorization_code")
                        .containsEntry("code", "code1")
                        .containsEntry("client_id", "c1")
                        .containsEntry("resource", servers.server().toString())
                        .doesNotContainKeys("client_secret", "(header)"));
    }

    @Test
    void a_client_registers_as_a_native_one_that_wants_to_renew_its_tokens() throws Exception {
        request(at(browser().name("Tester")));
        var sent = JsonTree.read(Json.raw(servers.registrations.getFirst()));
        assertThat(sent.path("client_name").asString()).isEqualTo("Tester");
        assertThat(sent.path("application_type").asString()).isEqualTo("native");
        assertThat(sent.path("grant_types").toString()).contains("authorization_code", "refresh_token");
        assertThat(sent.path("redirect_uris").get(0).asString()).matches("http://127.0.0.1:\\d+/callback");
        assertThat(sent.path("token_endpoint_auth_method").asString()).isEqualTo("none");
    }

    @ParameterizedTest
    @CsvSource({
        "/.well-known/oauth-protected-resource/mcp, true, /.well-known/oauth-authorization-server, ''",
        "/.well-known/oauth-protected-resource/mcp, false, /.well-known/openid-configuration, ''",
        "/.well-known/oauth-protected-resource, false, /.well-known/oauth-authorization-server/t1, /t1",
        "/.well-known/oauth-protected-resource, false, /.well-known/openid-configuration/t1, /t1",
        "/custom/place.json, true, /t1/.well-known/openid-configuration, /t1",
        "/nowhere, false, /.well-known/oauth-authorization-server, ''",
    })
    void the_documents_are_found_at_each_place_where_they_may_be(
            String resource, boolean isNamed, String metadata, String tenant) throws Exception {
        servers.behaviour.resourceMetadata = resource;
        servers.behaviour.namesMetadata = isNamed;
        servers.behaviour.metadata = metadata;
        servers.behaviour.tenant = tenant;
        assertThat(request(at(browser()))).isEqualTo(200);
        assertThat(servers.asked).doesNotContain("/.well-known/oauth-authorization-server/mcp");
    }

    @Test
    void a_server_without_any_document_is_asked_at_the_places_of_2025_03_26() throws Exception {
        servers.behaviour.resourceMetadata = "/nowhere";
        servers.behaviour.namesMetadata = false;
        servers.behaviour.metadata = "/nowhere";
        servers.behaviour.namesIssuer = false;
        assertThat(request(at(browser()))).isEqualTo(200);
        assertThat(servers.asked)
                .containsSubsequence(
                        "/.well-known/oauth-protected-resource/mcp",
                        "/.well-known/oauth-protected-resource",
                        "/.well-known/oauth-authorization-server",
                        "/register",
                        "/authorize",
                        "/token");
        assertThat(servers.logins.getFirst())
                .containsEntry("resource", servers.server().toString());
    }

    @Test
    void a_named_authorization_server_without_metadata_is_not_guessed_at() {
        servers.behaviour.metadata = "/nowhere";
        refused(browser(), "has no metadata");
        assertThat(opened).isEmpty();
    }

    @Test
    void nobody_logs_in_where_the_authorization_server_does_not_say_that_it_has_pkce() {
        servers.behaviour.pkce = List.of();
        refused(browser(), "PKCE");
        servers.behaviour.pkce = List.of("plain");
        refused(browser(), "PKCE");
        assertThat(opened).isEmpty();
        assertThat(servers.registrations).isEmpty();
    }

    @Test
    void metadata_of_another_issuer_are_not_used() {
        servers.behaviour.issuer = servers.origin() + "/";
        refused(browser(), "another issuer");
        assertThat(opened).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example/mcp", "ORIGIN/mc", "ORIGIN/mcp/more", "ORIGIN/other", "ORIGIN/mcp#a"})
    void a_document_about_another_resource_is_not_used(String resource) {
        servers.behaviour.resource = resource.replace("ORIGIN", servers.origin());
        refused(browser(), "not about");
        assertThat(opened).isEmpty();
    }

    @Test
    void an_answer_of_another_issuer_ends_the_login_before_the_code_is_used() {
        refused(OAuth.browser(address -> answer(address, "code=c&iss=https://evil.example")), "does not come from");
        assertThat(servers.tokenRequests).isEmpty();
    }

    /** Brings an answer to where a login at an address has it brought. */
    private void answer(URI login, String answer) {
        var query = URLUtils.parseParameters(login.getRawQuery());
        servers.open(URI.create(query.get("redirect_uri").getFirst() + "?" + answer + "&state="
                + query.get("state").getFirst()));
    }

    @Test
    void a_person_who_declines_is_one_clear_error() {
        var oauth = OAuth.browser(
                address -> answer(address, "error=access_denied&error_description=no&iss=" + servers.origin()));
        refused(oauth, "access_denied (no)");
    }

    @Test
    void requests_without_the_state_of_the_login_end_nothing() throws Exception {
        var oauth = OAuth.browser(address -> {
            var query = URLUtils.parseParameters(address.getRawQuery());
            var redirect = query.get("redirect_uri").getFirst();
            servers.open(URI.create(redirect + "?code=evil"));
            servers.open(URI.create(redirect + "?code=evil&state=guess"));
            servers.open(URI.create(
                    redirect + "/other?code=evil&state=" + query.get("state").getFirst()));
            servers.open(address);
        });
        assertThat(request(at(oauth))).isEqualTo(200);
        assertThat(servers.inTokenRequests("code")).containsExactly("code1");
    }

    @Test
    void a_person_who_does_nothing_ends_the_login() {
        refused(OAuth.browser(address -> {}, Duration.ofMillis(1)), "Nobody logged in");
    }

    @Test
    void a_browser_that_cannot_be_opened_ends_the_login() {
        refused(
                OAuth.browser(address -> {
                    throw new IllegalStateException("no display");
                }),
                "no display");
    }

    @Test
    void the_scopes_of_the_challenge_come_before_those_of_the_document() throws Exception {
        servers.behaviour.resourceScopes = List.of("a", "b");
        servers.behaviour.challengedScope = "c";
        request(at(browser()));
        assertThat(servers.logins.getFirst()).containsEntry("scope", "c");
    }

    @Test
    void a_token_that_does_not_suffice_is_replaced_by_one_for_all_scopes_so_far() throws Exception {
        servers.behaviour.challengedScope = "read";
        servers.behaviour.serverScopes = List.of("offline_access");
        var authorizer = letIn(browser());
        servers.behaviour.needed = List.of("write");
        assertThat(request(authorizer)).isEqualTo(200);
        assertThat(servers.inLogins("scope")).containsExactly("read offline_access", "read offline_access write");
    }

    @Test
    void scopes_that_the_authorization_server_has_given_by_itself_are_asked_for_with_further_ones() throws Exception {
        servers.behaviour.granted = "read";
        var authorizer = letIn(browser());
        servers.behaviour.needed = List.of("write");
        assertThat(request(authorizer)).isEqualTo(200);
        assertThat(servers.inLogins("scope")).containsExactly(null, "read write");
    }

    @Test
    void scopes_that_were_asked_for_in_vain_are_not_asked_for_again() throws Exception {
        servers.behaviour.challengedScope = "read";
        servers.behaviour.needed = List.of("read", "never");
        var oauth = OAuth.browser(address -> {
                    opened.add(address);
                    servers.open(URI.create(address.toString().replace("never", "")));
                })
                .tokens(store);
        assertThat(request(at(oauth))).isEqualTo(403);
        assertThat(request(at(oauth))).isEqualTo(403);
        assertThat(opened).hasSize(2);
    }

    @Test
    void a_refusal_that_speaks_of_no_scope_stands() throws Exception {
        var authorizer = letIn(browser());
        assertThat(authorizer.renew(new Refusal(403, List.of("Bearer"), authorizer.headers("POST"), 1)))
                .isFalse();
        assertThat(opened).hasSize(1);
    }

    @Test
    void another_authorization_server_knows_nothing_of_the_registration_at_the_first() throws Exception {
        var authorizer = letIn(browser());
        servers.changeIssuer();
        assertThat(request(authorizer)).isEqualTo(200);
        assertThat(servers.inLogins("client_id")).containsExactly("c1", "c2");
        assertThat(servers.inTokenRequests("grant_type")).containsOnly("authorization_code");
    }

    @Test
    void a_refresh_token_is_shown_to_no_other_authorization_server() throws Exception {
        servers.behaviour.takesDocuments = true;
        var authorizer = letIn(browser().metadataDocument(URI.create("https://client.example/m")));
        servers.changeIssuer();
        assertThat(request(authorizer)).isEqualTo(200);
        assertThat(servers.tokenRequests).hasSize(2).noneMatch(form -> form.containsKey("refresh_token"));
    }

    @Test
    void a_client_that_is_registered_by_hand_is_shown_to_no_other_authorization_server() throws Exception {
        var authorizer = letIn(browser().registered("mine", null));
        servers.changeIssuer();
        assertThatThrownBy(() -> request(authorizer)).hasMessageContaining("where this client is registered");
        refused(browser().registered("mine", null).issuer("https://as.example"), "https://as.example");
        assertThat(opened).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"client_secret_basic, c1:s1, ", "client_secret_post, , s1", "none, , "})
    void a_client_shows_its_secret_in_the_way_that_the_authorization_server_takes(
            String method, String header, String secret) throws Exception {
        servers.behaviour.methods = List.of(method);
        assertThat(request(at(browser()))).isEqualTo(200);
        assertThat(servers.tokenRequests.getFirst().get("(header)")).isEqualTo(header);
        assertThat(servers.tokenRequests.getFirst().get("client_secret")).isEqualTo(secret);
        assertThat(servers.registrations.getFirst()).contains("\"token_endpoint_auth_method\":\"" + method + "\"");
    }

    @Test
    void a_client_with_a_metadata_document_registers_nowhere_that_takes_such() throws Exception {
        var document = URI.create("https://client.example/metadata.json");
        servers.behaviour.takesDocuments = true;
        assertThat(request(at(browser().metadataDocument(document)))).isEqualTo(200);
        assertThat(servers.logins.getFirst()).containsEntry("client_id", document.toString());
        assertThat(servers.registrations).isEmpty();
        servers.behaviour.takesDocuments = false;
        servers.endTokens();
        assertThat(request(at(browser().metadataDocument(document)))).isEqualTo(200);
        assertThat(servers.logins.getLast()).containsEntry("client_id", "c1");
    }

    @Test
    void a_registration_by_hand_comes_before_all_others() throws Exception {
        servers.behaviour.takesDocuments = true;
        servers.behaviour.methods = List.of("client_secret_basic");
        var oauth = browser().registered("mine", "se:cret").metadataDocument(URI.create("https://client.example/m"));
        assertThat(request(at(oauth))).isEqualTo(200);
        assertThat(servers.tokenRequests.getFirst()).containsEntry("(header)", "mine:se%3Acret");
        assertThat(servers.registrations).isEmpty();
    }

    @Test
    void an_authorization_server_that_registers_nobody_wants_a_client_by_hand() {
        servers.behaviour.registers = false;
        refused(browser(), "register one there");
    }

    @Test
    void a_client_waits_where_it_has_registered_as_long_as_that_is_free() throws Exception {
        request(at(browser()));
        servers.endTokens();
        request(at(browser()));
        assertThat(servers.registrations).hasSize(1);
        assertThat(servers.inLogins("redirect_uri"))
                .hasSize(2)
                .satisfies(places -> assertThat(places.get(0)).isEqualTo(places.get(1)));
    }

    @Test
    void a_client_of_its_own_account_gets_a_token_by_its_secret() throws Exception {
        servers.behaviour.methods = List.of("client_secret_basic");
        servers.behaviour.resourceScopes = List.of("jobs");
        var authorizer = at(OAuth.clientCredentials("robot", "secret"));
        assertThat(request(authorizer)).isEqualTo(200);
        servers.valid.clear();
        assertThat(request(authorizer)).isEqualTo(200);
        assertThat(servers.tokenRequests)
                .hasSize(2)
                .allSatisfy(form -> assertThat(form)
                        .containsEntry("grant_type", "client_credentials")
                        .containsEntry("(header)", "robot:secret")
                        .containsEntry("scope", "jobs")
                        .containsEntry("resource", servers.server().toString()));
    }

    @Test
    void a_client_of_its_own_account_gets_a_token_by_a_signature_for_this_issuer() throws Exception {
        servers.behaviour.methods = List.of("private_key_jwt");
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        var keys = generator.generateKeyPair();
        assertThat(request(at(OAuth.clientCredentials("robot", keys.getPrivate(), "ES256"))))
                .isEqualTo(200);
        var form = servers.tokenRequests.getFirst();
        assertThat(form)
                .containsEntry("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
        var jwt = SignedJWT.parse(form.get("client_assertion"));
        var key = (ECPublicKey) keys.getPublic();
        assertThat(jwt.verify(new ECDSAVerifier(key))).isTrue();
        assertThat(jwt.getJWTClaimsSet().getAudience()).containsExactly(servers.issuer());
        assertThat(jwt.getJWTClaimsSet().getSubject()).isEqualTo("robot");
        assertThat(jwt.getJWTClaimsSet().getIssuer()).isEqualTo("robot");
    }

    @Test
    void a_token_that_is_no_bearer_token_is_not_used() {
        servers.behaviour.tokenType = "DPoP";
        refused(browser(), "no token of type Bearer");
    }

    @Test
    void a_login_that_failed_for_one_request_is_not_begun_for_each_that_waited() throws Exception {
        var refusal = new Refusal(401, List.of(), Map.of(), 1);
        var authorizers = new AtomicReference<RequestAuthorizer>();
        var second = new FutureTask<>(() -> authorizers.get().renew(refusal));
        var waiting = new Thread(second);
        authorizers.set(at(OAuth.browser(address -> {
            opened.add(address);
            waiting.start();
            while (waiting.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            throw new IllegalStateException("no display");
        })));
        assertThatThrownBy(() -> authorizers.get().renew(refusal)).hasMessageContaining("no display");
        assertThatThrownBy(second::get).hasMessageContaining("no display");
        assertThat(opened).hasSize(1);
    }

    @Test
    void a_token_goes_over_no_network_in_the_clear() {
        var oauth = browser().at(URI.create("http://192.0.2.1/mcp"));
        assertThatThrownBy(() -> oauth.renew(new Refusal(401, List.of(), Map.of(), 1)))
                .hasMessageContaining("in the clear");
    }
}
