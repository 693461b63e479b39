// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.transport.client.RequestAuthorizer.Refusal;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens are kept, renewed and forgotten, with as few logins as there can be. */
@Timeout(60)
class KeptTokensTest extends OAuthFixture {

    @Test
    void a_token_is_renewed_before_its_end_without_a_person() throws Exception {
        var authorizer = letIn(browser());
        now = now.plusSeconds(3580);
        assertThat(authorizer.headers("POST")).containsEntry("Authorization", "Bearer access2");
        assertThat(servers.tokenRequests.getLast())
                .containsEntry("grant_type", "refresh_token")
                .containsEntry("refresh_token", "refresh1")
                .containsEntry("resource", servers.server().toString())
                .containsEntry("client_id", "c1");
        assertThat(opened).hasSize(1);
    }

    @Test
    void a_token_that_the_server_refuses_is_renewed_and_each_refresh_token_used_once() throws Exception {
        var authorizer = at(browser());
        for (int i = 0; i < 3; i++) {
            request(authorizer);
            servers.valid.clear();
        }
        assertThat(request(authorizer)).isEqualTo(200);
        assertThat(servers.tokenRequests)
                .extracting(form -> form.getOrDefault("refresh_token", "none"))
                .containsExactly("none", "refresh1", "refresh2", "refresh3");
        assertThat(opened).hasSize(1);
    }

    @Test
    void a_person_logs_in_again_where_the_refresh_token_is_over() throws Exception {
        var authorizer = letIn(browser());
        servers.endTokens();
        assertThat(request(authorizer)).isEqualTo(200);
        assertThat(opened).hasSize(2);
        assertThat(servers.registrations).hasSize(1);
    }

    @Test
    void a_renewed_token_that_does_not_help_leads_to_a_login() throws Exception {
        var authorizer = letIn(browser());
        servers.valid.clear();
        servers.behaviour.worthless = List.of("refresh_token");
        assertThat(request(authorizer)).isEqualTo(200);
        assertThat(opened).hasSize(2);
    }

    @Test
    void a_person_does_not_log_in_again_where_the_token_of_a_login_is_refused() throws Exception {
        servers.behaviour.worthless = List.of("authorization_code", "refresh_token");
        assertThat(request(at(browser()))).isEqualTo(401);
        assertThat(opened).hasSize(1);
    }

    @Test
    void the_renewal_before_the_end_is_tried_once() throws Exception {
        var authorizer = letIn(browser());
        servers.refreshable.clear();
        now = now.plusSeconds(3580);
        assertThat(authorizer.headers("POST")).containsEntry("Authorization", "Bearer access1");
        assertThat(authorizer.headers("POST")).containsEntry("Authorization", "Bearer access1");
        assertThat(servers.tokenRequests).hasSize(2);
    }

    @Test
    void a_client_that_the_authorization_server_has_forgotten_registers_again() throws Exception {
        var authorizer = letIn(browser());
        servers.endTokens();
        servers.behaviour.refreshError = "invalid_client";
        assertThat(request(authorizer)).isEqualTo(200);
        assertThat(servers.registrations).hasSize(2);
    }

    @Test
    void a_refresh_token_that_is_not_replaced_and_the_scopes_so_far_outlive_a_renewal() throws Exception {
        servers.behaviour.rotates = false;
        servers.behaviour.challengedScope = "read";
        var authorizer = letIn(browser());
        for (int i = 0; i < 2; i++) {
            servers.valid.clear();
            request(authorizer);
        }
        assertThat(opened).hasSize(1);
        servers.behaviour.needed = List.of("write");
        request(authorizer);
        assertThat(servers.logins.getLast()).containsEntry("scope", "read write");
    }

    @Test
    void no_scope_is_added_to_those_that_a_server_gives_by_itself() throws Exception {
        servers.behaviour.serverScopes = List.of("offline_access");
        request(at(browser()));
        assertThat(servers.logins.getFirst()).doesNotContainKey("scope");
    }

    @Test
    void settings_that_are_not_safe_are_refused() {
        assertThatThrownBy(() -> browser().redirect(URI.create("http://192.0.2.1:1/callback")))
                .isInstanceOf(IllegalArgumentException.class);
        var following = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();
        assertThatThrownBy(() -> browser().over(following)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void every_request_of_an_authorization_goes_by_the_client_of_the_host() throws Exception {
        var asked = new CopyOnWriteArrayList<URI>();
        var proxy = new InetSocketAddress("127.0.0.1", servers.server().getPort());
        try (var http =
                HttpClient.newBuilder().proxy(ProxyNote.of(proxy, asked)).build()) {
            var authorizer = at(browser().over(http));
            assertThat(request(authorizer)).isEqualTo(200);
            servers.valid.clear();
            assertThat(request(authorizer)).isEqualTo(200);
        }
        assertThat(asked)
                .extracting(URI::getPath)
                .containsExactly(
                        "/.well-known/oauth-protected-resource/mcp",
                        "/.well-known/oauth-authorization-server",
                        "/register",
                        "/token",
                        "/.well-known/oauth-protected-resource/mcp",
                        "/.well-known/oauth-authorization-server",
                        "/token");
    }

    @Test
    void another_client_uses_the_tokens_that_are_kept() throws Exception {
        request(at(browser()));
        assertThat(request(at(OAuth.kept(store)))).isEqualTo(200);
        assertThat(opened).hasSize(1);
    }

    @Test
    void a_token_that_another_process_has_got_meanwhile_is_used() throws Exception {
        var first = letIn(browser());
        var old = first.headers("POST");
        servers.valid.clear();
        request(at(browser()));
        assertThat(first.renew(new Refusal(401, List.of(), old, 1))).isTrue();
        assertThat(first.headers("POST")).isNotEqualTo(old);
        assertThat(servers.tokenRequests).hasSize(2);
    }

    @Test
    void a_store_without_tokens_is_asked_once_and_again_when_the_server_refuses_a_request() throws Exception {
        var loads = new AtomicInteger();
        var authorizer = at(OAuth.kept(counting(loads)));
        for (int i = 0; i < 3; i++) {
            assertThat(authorizer.headers("POST")).isEmpty();
        }
        assertThat(loads).hasValue(1);
        request(at(browser()));
        assertThat(authorizer.renew(new Refusal(401, List.of(), Map.of(), 1))).isTrue();
        assertThat(authorizer.headers("POST")).containsEntry("Authorization", "Bearer access1");
        assertThat(loads).hasValue(2);
    }

    /** The store, which counts how often it is read. */
    private TokenStore counting(AtomicInteger loads) {
        return new PassingTokenStore(store) {
            @Override
            public Optional<String> load(String name) {
                loads.incrementAndGet();
                return super.load(name);
            }
        };
    }

    @Test
    void without_a_person_and_without_tokens_the_refusal_stands_and_nothing_is_asked() throws Exception {
        assertThat(request(at(OAuth.kept(store)))).isEqualTo(401);
        assertThat(servers.asked).containsOnly("/mcp");
    }

    @Test
    void without_a_person_a_login_that_is_over_is_said_to_be() throws Exception {
        request(at(browser()));
        servers.endTokens();
        refused(OAuth.kept(store), "log in again");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tokens_of_a_client_by_hand_are_renewed_by_one_that_is_not_told_of_it(boolean isDocument) throws Exception {
        servers.behaviour.takesDocuments = true;
        servers.behaviour.methods = List.of("none", "client_secret_basic");
        request(at(
                isDocument
                        ? browser().metadataDocument(URI.create("https://client.example/m"))
                        : browser().registered("mine", "secret")));
        servers.valid.clear();
        assertThat(request(at(OAuth.kept(store)))).isEqualTo(200);
        assertThat(servers.tokenRequests.getLast())
                .containsEntry("grant_type", "refresh_token")
                .containsEntry(
                        isDocument ? "client_id" : "(header)", isDocument ? "https://client.example/m" : "mine:secret");
    }

    @Test
    void what_is_forgotten_takes_a_new_login() throws Exception {
        request(at(browser()));
        assertThat(browser().isKept(servers.server())).isTrue();
        browser().forget(servers.server());
        assertThat(browser().isKept(servers.server())).isFalse();
        request(at(browser()));
        assertThat(opened).hasSize(2);
    }
}
