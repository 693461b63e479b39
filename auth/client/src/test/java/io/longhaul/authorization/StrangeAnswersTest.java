// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Values of authorization servers that mean nothing are not stored, and end nothing but the login. */
@Timeout(60)
class StrangeAnswersTest extends OAuthFixture {

    @Test
    void an_empty_refresh_token_is_none() throws Exception {
        servers.behaviour.refreshToken = "";
        var authorizer = letIn(browser());
        now = now.plusSeconds(3580);
        assertThat(authorizer.headers("POST")).containsEntry("Authorization", "Bearer access1");
        servers.valid.clear();
        assertThat(request(authorizer)).isEqualTo(200);
        assertThat(opened).hasSize(2);
    }

    @Test
    void an_empty_refresh_token_that_an_earlier_version_has_stored_is_none() throws Exception {
        letIn(browser());
        var name = OAuthAuthorizer.name(servers.server());
        store.save(name, store.load(name).orElseThrow().replace("refresh1", ""));
        now = now.plusSeconds(3580);
        assertThat(at(browser()).headers("POST")).containsEntry("Authorization", "Bearer access1");
    }

    @Test
    void a_token_that_is_to_last_longer_than_time_itself_lasts() throws Exception {
        servers.behaviour.expiresIn = Long.MAX_VALUE;
        var authorizer = letIn(browser());
        now = now.plus(Duration.ofDays(365));
        assertThat(authorizer.headers("POST")).containsEntry("Authorization", "Bearer access1");
        assertThat(servers.tokenRequests).hasSize(1);
    }

    @Test
    void an_empty_client_id_is_none_and_is_not_stored() throws Exception {
        servers.behaviour.registration = "{\"client_id\":\"\"}";
        refused(browser(), "no client id");
        refused(browser(), "no client id");
        assertThat(servers.registrations).hasSize(2);
        assertThat(opened).isEmpty();
    }

    @Test
    void an_empty_client_id_that_an_earlier_version_has_stored_is_replaced() throws Exception {
        letIn(browser());
        servers.endTokens();
        var name = "client " + servers.issuer();
        store.remove(OAuthAuthorizer.name(servers.server()));
        store.save(name, store.load(name).orElseThrow().replace("c1", ""));
        assertThat(request(at(browser()))).isEqualTo(200);
        assertThat(servers.inLogins("client_id")).containsExactly("c1", "c2");
    }

    @Test
    void an_empty_secret_is_none() throws Exception {
        servers.behaviour.registration = "{\"client_id\":\"c%d\",\"client_secret\":\"\"}";
        assertThat(request(at(browser()))).isEqualTo(200);
        assertThat(servers.tokenRequests.getFirst()).containsEntry("client_id", "c1");
    }

    @Test
    void scopes_without_a_name_are_not_requested() throws Exception {
        servers.behaviour.resourceScopes = Arrays.asList("", null, "a");
        assertThat(request(at(browser()))).isEqualTo(200);
        assertThat(servers.inLogins("scope")).containsExactly("a");
    }

    @Test
    void metadata_with_a_scope_without_a_name_are_one_clear_error() {
        servers.behaviour.serverScopes = List.of("");
        refused(browser(), "is no metadata of an authorization server");
    }

    @Test
    void what_nobody_has_foreseen_is_one_clear_error() {
        refused(browser().scopes(""), "could not be used");
    }
}
