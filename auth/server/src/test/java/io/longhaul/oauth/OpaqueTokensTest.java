// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeAuthorizationServer;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the answer of an issuer about an opaque token means. */
@Timeout(60)
class OpaqueTokensTest {

    private static final String RESOURCE = "https://tools.example/mcp";

    @AutoClose
    private final FakeAuthorizationServer issuer =
            new FakeAuthorizationServer(() -> Instant.parse("2026-11-23T08:00:00Z"));

    private final ResourceServer server = ResourceServer.of(URI.create(RESOURCE))
            .issuer(TokenIssuer.named(issuer.issuer()).introspected("server", "secret"))
            .clock(() -> Instant.parse("2026-11-23T08:00:00Z"))
            .build();

    private Resolution ask(String token) {
        return server.resolve(name -> name.equals("Authorization") ? Optional.of("Bearer " + token) : Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"cnf", "exp", "nbf", "iss", "client_id", "scope"})
    void a_member_that_is_null_is_one_that_is_not_there(String member) {
        var claims = issuer.claims(RESOURCE, "read").putNull(member);
        assertThat(ask(issuer.opaque(claims)))
                .isInstanceOfSatisfying(
                        Resolution.Granted.class,
                        granted -> assertThat(granted.principal().name()).isEqualTo(issuer.issuer() + "#sub=alice"));
    }

    @Test
    void a_token_whose_user_is_null_is_its_client() {
        assertThat(ask(issuer.opaque(issuer.claims(RESOURCE, "read").putNull("sub"))))
                .isInstanceOfSatisfying(
                        Resolution.Granted.class,
                        granted ->
                                assertThat(granted.principal().name()).isEqualTo(issuer.issuer() + "#client=a-client"));
    }
}
