// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client is let in by what somebody else says: the platform of a workload, or the enterprise of a person. */
@Timeout(60)
class AssertionTest extends OAuthFixture {

    private static final String JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private FakeServers provider;

    @BeforeEach
    void startProvider() throws Exception {
        provider = new FakeServers();
        servers.behaviour.methods = List.of("client_secret_basic");
    }

    @AfterEach
    void stopProvider() {
        provider.close();
    }

    private OAuth workload() {
        return OAuth.workload(issuer -> {
                    asked.add(issuer);
                    return Keys.signed("pod " + asked.size()) + "\n";
                })
                .clock(() -> now);
    }

    private OAuth enterprise() {
        return OAuth.enterprise(provider.issuer(), "desktop", null, () -> {
            asked.add("the login");
            return "id token";
        });
    }

    @Test
    void a_workload_shows_what_its_platform_says_of_it_and_no_client_id() throws Exception {
        servers.behaviour.resourceScopes = List.of("jobs");
        assertThat(request(at(workload()))).isEqualTo(200);
        assertThat(asked).containsExactly(servers.issuer());
        var form = servers.tokenRequests.getFirst();
        assertThat(form)
                .containsEntry("grant_type", JWT_BEARER)
                .containsEntry("resource", servers.server().toString())
                .containsEntry("scope", "jobs")
                .doesNotContainKeys("client_id", "(header)");
        assertThat(Keys.subject(form.get("assertion"))).isEqualTo("pod 1");
        assertThat(servers.registrations).isEmpty();
    }

    @Test
    void the_platform_is_asked_again_for_each_token_and_no_refresh_token_is_used() throws Exception {
        var authorizer = letIn(workload());
        now = now.plusSeconds(3600);
        servers.valid.clear();
        assertThat(request(authorizer)).isEqualTo(200);
        assertThat(servers.inTokenRequests("grant_type")).containsOnly(JWT_BEARER);
        assertThat(Keys.subject(servers.tokenRequests.getLast().get("assertion")))
                .isEqualTo("pod 2");
    }

    @Test
    void a_workload_that_is_registered_says_who_it_is() throws Exception {
        assertThat(request(at(workload().registered("robot", null)))).isEqualTo(200);
        assertThat(servers.tokenRequests.getFirst()).containsEntry("client_id", "robot");
    }

    @Test
    void an_assertion_that_is_refused_is_shown_once_and_nothing_else_is_tried() {
        servers.behaviour.refused = List.of(JWT_BEARER);
        refused(workload(), "invalid_grant");
        assertThat(servers.tokenRequests).hasSize(1);
    }

    @Test
    void an_authorization_server_that_takes_no_assertions_is_shown_none() {
        servers.behaviour.grants = List.of("authorization_code");
        refused(workload(), "takes no assertions");
        refused(enterprise().registered("mine", "secret"), "takes no assertions");
        assertThat(asked).isEmpty();
    }

    @Test
    void an_authorization_server_that_the_host_does_not_name_is_shown_no_assertion() {
        refused(workload().issuer("https://trusted.example"), "other authorization servers");
        assertThat(asked).isEmpty();
    }

    @Test
    void a_platform_that_gives_nothing_usable_ends_the_authorization_with_a_sentence() {
        refused(
                OAuth.workload(issuer -> {
                    throw new IllegalStateException("no volume is mounted");
                }),
                "no volume is mounted");
        refused(OAuth.workload(issuer -> "not a token"), "no JWT");
        assertThat(servers.tokenRequests).isEmpty();
    }

    @Test
    void a_login_of_the_enterprise_is_exchanged_for_an_assertion_that_the_authorization_server_takes()
            throws Exception {
        servers.behaviour.resourceScopes = List.of("jobs");
        assertThat(request(at(enterprise().registered("mine", "secret")))).isEqualTo(200);
        assertThat(provider.tokenRequests)
                .singleElement()
                .satisfies(form -> assertThat(form)
                        .containsEntry("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange")
                        .containsEntry("requested_token_type", "urn:ietf:params:oauth:token-type:id-jag")
                        .containsEntry("subject_token", "id token")
                        .containsEntry("subject_token_type", "urn:ietf:params:oauth:token-type:id_token")
                        .containsEntry("audience", servers.issuer())
                        .containsEntry("resource", servers.server().toString())
                        .containsEntry("scope", "jobs")
                        .containsEntry("client_id", "desktop"));
        var form = servers.tokenRequests.getFirst();
        assertThat(form)
                .containsEntry("grant_type", JWT_BEARER)
                .containsEntry("(header)", "mine:secret")
                .containsEntry("scope", "jobs")
                .containsEntry("resource", servers.server().toString());
        assertThat(Keys.subject(form.get("assertion"))).isEqualTo("an assertion of the provider");
        assertThat(servers.logins).isEmpty();
    }

    @Test
    void the_enterprise_decides_each_time_since_no_refresh_token_is_used() throws Exception {
        var authorizer = letIn(enterprise().registered("mine", "secret"));
        servers.valid.clear();
        provider.behaviour.refused = List.of("urn:ietf:params:oauth:grant-type:token-exchange");
        assertThatThrownBy(() -> request(authorizer)).hasMessageContaining(provider.issuer());
        assertThat(servers.tokenRequests).hasSize(1);
    }

    @Test
    void a_provider_that_gives_another_kind_of_token_is_not_believed() {
        provider.behaviour.exchanged = "urn:ietf:params:oauth:token-type:access_token";
        refused(enterprise().registered("mine", "secret"), "no token of type");
        assertThat(servers.tokenRequests).isEmpty();
    }

    @Test
    void a_login_is_not_shown_for_a_client_that_the_authorization_server_does_not_know() {
        refused(enterprise(), "register the client there");
        assertThat(asked).isEmpty();
        assertThat(provider.asked).isEmpty();
    }

    @Test
    void what_is_a_published_extension_is_declared_to_the_server() {
        assertThat(at(enterprise()).extensions())
                .containsExactly("io.modelcontextprotocol/enterprise-managed-authorization");
        assertThat(at(OAuth.clientCredentials("robot", "secret")).extensions())
                .containsExactly("io.modelcontextprotocol/oauth-client-credentials");
        assertThat(at(workload()).extensions()).isEmpty();
        assertThat(at(browser()).extensions()).isEmpty();
    }

    @Test
    void a_provider_without_an_address_is_refused_at_once() {
        assertThatThrownBy(() -> OAuth.enterprise("acme", "desktop", null, () -> "id token"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
