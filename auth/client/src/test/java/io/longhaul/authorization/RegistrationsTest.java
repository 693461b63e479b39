// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.transport.client.RequestAuthorizer.Refusal;
import io.longhaul.protocol.transport.client.TransportException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Which client a login uses, and which client renews the tokens of that login. */
@Timeout(60)
class RegistrationsTest extends OAuthFixture {

    private String name() {
        return OAuthAuthorizer.name(servers.server());
    }

    /** Logs in at another server, which has the same authorization server. */
    private void logInElsewhere(OAuth oauth) throws Exception {
        var challenge = "Bearer resource_metadata=\"" + servers.origin() + servers.behaviour.resourceMetadata + "\"";
        var other = oauth.at(URI.create(servers.server() + "/other"));
        assertThat(other.renew(new Refusal(401, List.of(challenge), Map.of(), 1)))
                .isTrue();
    }

    private URI lastRedirect() {
        return URI.create(servers.logins.getLast().get("redirect_uri"));
    }

    /** Logs in with an answer to a certain port, which it gives. Others may take a free port first: then to another. */
    private URI logInWithPort() throws Exception {
        while (true) {
            var wanted = URI.create("http://127.0.0.1:" + freePort() + "/callback");
            try {
                assertThat(request(at(browser().redirect(wanted)))).isEqualTo(200);
                return wanted;
            } catch (TransportException e) {
                assertThat(e).hasCauseInstanceOf(BindException.class);
            }
        }
    }

    private static int freePort() throws Exception {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    // Tokens belong to a client

    @Test
    void tokens_are_renewed_by_the_client_that_got_them_whatever_client_logs_in_at_their_issuer_later()
            throws Exception {
        letIn(browser());
        logInElsewhere(browser().redirect(URI.create("http://127.0.0.1:0/elsewhere")));
        assertThat(servers.inLogins("client_id")).containsExactly("c1", "c2");
        servers.valid.clear();
        assertThat(request(at(browser()))).isEqualTo(200);
        assertThat(servers.tokenRequests.getLast()).containsEntry("client_id", "c1");
        assertThat(opened).hasSize(2);
    }

    @Test
    void tokens_of_a_client_by_hand_are_renewed_by_it_after_another_client_has_registered_itself() throws Exception {
        servers.behaviour.methods = List.of("client_secret_basic");
        letIn(browser().registered("mine", "secret"));
        logInElsewhere(browser());
        servers.valid.clear();
        assertThat(request(at(OAuth.kept(store)))).isEqualTo(200);
        assertThat(servers.tokenRequests.getLast()).containsEntry("(header)", "mine:secret");
    }

    @Test
    void a_client_by_hand_shows_its_present_secret() throws Exception {
        servers.behaviour.methods = List.of("client_secret_basic");
        letIn(browser().registered("mine", "old"));
        servers.valid.clear();
        assertThat(request(at(browser().registered("mine", "new")))).isEqualTo(200);
        assertThat(servers.tokenRequests.getLast()).containsEntry("(header)", "mine:new");
        assertThat(opened).hasSize(1);
    }

    @Test
    void tokens_of_earlier_versions_which_name_no_client_are_renewed_by_the_registration_at_their_issuer()
            throws Exception {
        letIn(browser());
        var kept = (ObjectNode) JsonTree.read(Json.raw(store.load(name()).orElseThrow()));
        kept.remove("client");
        store.save(name(), kept.toString());
        servers.valid.clear();
        assertThat(request(at(browser()))).isEqualTo(200);
        assertThat(opened).hasSize(1);
    }

    // Registrations that the authorization server has dropped

    @Test
    void a_registration_that_is_refused_at_the_end_of_a_login_is_replaced_in_a_second_login() throws Exception {
        letIn(browser());
        store.remove(name());
        servers.behaviour.expired = List.of("c1");
        assertThat(request(at(browser()))).isEqualTo(200);
        assertThat(servers.inLogins("client_id")).containsExactly("c1", "c1", "c2");
    }

    @Test
    void a_new_registration_that_is_refused_is_an_error_after_one_login() throws Exception {
        servers.behaviour.expired = List.of("c1");
        refused(browser(), "invalid_client");
        assertThat(opened).hasSize(1);
    }

    @Test
    void after_a_login_that_nobody_could_end_the_next_one_does_not_use_its_registration() throws Exception {
        letIn(browser());
        store.remove(name());
        servers.behaviour.unknown = List.of("c1");
        refused(OAuth.browser(servers::open, Duration.ofMillis(1)).tokens(store), "Nobody logged in");
        assertThat(request(at(browser()))).isEqualTo(200);
        assertThat(servers.inLogins("client_id")).containsExactly("c1", "c1", "c2");
    }

    @Test
    void a_login_that_is_forgotten_takes_its_registration_along() throws Exception {
        letIn(browser());
        browser().forget(servers.server());
        servers.behaviour.unknown = List.of("c1");
        assertThat(request(at(browser()))).isEqualTo(200);
        assertThat(servers.registrations).hasSize(2);
    }

    @Test
    void the_registration_of_another_login_outlives_one_that_is_forgotten() throws Exception {
        letIn(browser().registered("mine", null));
        logInElsewhere(browser());
        browser().forget(servers.server());
        assertThat(request(at(browser()))).isEqualTo(200);
        assertThat(servers.inLogins("client_id")).containsExactly("mine", "c1", "c1");
    }

    // Secrets belong to an authorization server

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_secret_goes_to_no_other_authorization_server_than_before_also_when_the_tokens_are_gone(boolean isRobot)
            throws Exception {
        servers.behaviour.methods = List.of("client_secret_basic");
        Supplier<OAuth> client = () -> isRobot
                ? OAuth.clientCredentials("mine", "secret").tokens(store)
                : browser().registered("mine", "secret");
        letIn(client.get());
        store.remove(name());
        servers.changeIssuer();
        refused(client.get(), "where this client is registered");
        assertThat(servers.tokenRequests).hasSize(1);
        refused(client.get(), "login --issuer");
        assertThat(request(at(client.get().issuer(servers.issuer())))).isEqualTo(200);
        servers.endTokens();
        assertThat(request(at(client.get()))).isEqualTo(200);
    }

    @Test
    void two_clients_of_one_id_may_have_their_secrets_of_two_authorization_servers() throws Exception {
        letIn(OAuth.clientCredentials("mine", "secret").tokens(store));
        store.remove(name());
        servers.changeIssuer();
        assertThat(request(at(OAuth.clientCredentials("mine", "other").tokens(store))))
                .isEqualTo(200);
    }

    @Test
    void what_is_forgotten_of_a_server_includes_where_the_secret_went() throws Exception {
        letIn(OAuth.clientCredentials("mine", "secret").tokens(store));
        browser().forget(servers.server());
        servers.changeIssuer();
        assertThat(request(at(OAuth.clientCredentials("mine", "secret").tokens(store))))
                .isEqualTo(200);
    }

    @Test
    void an_id_without_a_secret_is_told_to_any_authorization_server() throws Exception {
        letIn(browser().registered("mine", null));
        browser().forget(servers.server());
        servers.changeIssuer();
        assertThat(request(at(browser().registered("mine", null)))).isEqualTo(200);
    }

    // Where the client waits

    @Test
    void a_client_waits_at_the_address_that_its_user_gives_whatever_an_earlier_login_had() throws Exception {
        letIn(browser());
        servers.endTokens();
        var wanted = logInWithPort();
        assertThat(lastRedirect()).isEqualTo(wanted);
        servers.endTokens();
        var path = URI.create("http://127.0.0.1/elsewhere");
        assertThat(request(at(browser().redirect(path)))).isEqualTo(200);
        assertThat(lastRedirect().getPath()).isEqualTo("/elsewhere");
    }
}
