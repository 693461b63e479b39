// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.protocol.transport.client.TransportException.Kind;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client of one authorization server has a token for a server before its first request, and replaces it in time. */
@Timeout(60)
class ConfidentialClientTest extends OAuthFixture {

    private final AtomicInteger read = new AtomicInteger();

    @BeforeEach
    void takeSecrets() {
        servers.behaviour.methods = List.of("client_secret_basic");
        servers.behaviour.registers = false;
    }

    private RequestAuthorizer gateway() {
        return at(ConfidentialClient.withSecret(servers.issuer(), "gateway", () -> "secret" + read.incrementAndGet())
                .scopes(List.of("jobs")));
    }

    private RequestAuthorizer at(ConfidentialClient client) {
        return client.clock(() -> now).itself().at(servers.server());
    }

    @Test
    void the_first_request_has_a_token_for_its_server_and_the_server_is_not_asked_where_from() throws Exception {
        assertThat(request(gateway())).isEqualTo(200);
        assertThat(servers.tokenRequests)
                .singleElement()
                .satisfies(form -> assertThat(form)
                        .containsEntry("grant_type", "client_credentials")
                        .containsEntry("resource", servers.server().toString())
                        .containsEntry("scope", "jobs")
                        .containsEntry("(header)", "gateway:secret1"));
        assertThat(servers.asked)
                .doesNotContain(servers.behaviour.resourceMetadata)
                .containsOnlyOnce("/mcp");
    }

    @Test
    void a_token_is_replaced_half_a_minute_before_it_expires_with_the_secret_of_then() throws Exception {
        var gateway = gateway();
        request(gateway);
        now = now.plusSeconds(3569);
        request(gateway);
        assertThat(servers.tokenRequests).hasSize(1);
        now = now.plusSeconds(2);
        request(gateway);
        assertThat(servers.inTokenRequests("(header)")).containsExactly("gateway:secret1", "gateway:secret2");
    }

    @Test
    void a_token_that_the_server_refuses_is_replaced_once() throws Exception {
        var gateway = gateway();
        request(gateway);
        servers.endTokens();
        assertThat(request(gateway)).isEqualTo(200);
        servers.behaviour.worthless = List.of("client_credentials");
        servers.endTokens();
        assertThat(request(gateway)).isEqualTo(401);
        assertThat(servers.tokenRequests).hasSize(3);
    }

    @Test
    void a_token_is_used_to_its_end_while_the_authorization_server_is_away() throws Exception {
        var gateway = gateway();
        request(gateway);
        servers.close();
        now = now.plusSeconds(3580);
        assertThat(gateway.headers("POST")).containsKey("Authorization");
        now = now.plusSeconds(30);
        assertThatThrownBy(() -> gateway.headers("POST"))
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
    }

    @Test
    void a_refused_client_is_told_so_without_its_secret() {
        servers.behaviour.refused = List.of("client_credentials");
        assertThatThrownBy(() -> gateway().headers("POST"))
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNSUPPORTED))
                .hasMessageContaining("gives no token")
                .hasMessageNotContaining("secret1");
    }

    @Test
    void a_secret_that_cannot_be_read_is_told() {
        var client = ConfidentialClient.withSecret(servers.issuer(), "gateway", () -> {
            throw new IOException("other users can read it");
        });
        assertThatThrownBy(() -> at(client).headers("POST")).hasMessageContaining("other users can read it");
    }
}
