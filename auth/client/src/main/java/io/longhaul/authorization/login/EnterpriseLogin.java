// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.login;

import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.id.Audience;
import com.nimbusds.oauth2.sdk.token.TokenTypeURI;
import com.nimbusds.oauth2.sdk.token.TypelessToken;
import com.nimbusds.oauth2.sdk.tokenexchange.TokenExchangeGrant;
import io.longhaul.authorization.discovery.AuthorizationServer;
import io.longhaul.authorization.discovery.Discovery;
import io.longhaul.authorization.fetch.GuardedHttp;
import io.longhaul.authorization.fetch.NamedAddresses;
import io.longhaul.authorization.registration.ClientIdentity;
import io.longhaul.authorization.registration.ClientRegistrations;
import io.longhaul.authorization.token.Assertion;
import io.longhaul.authorization.token.RegisteredClient;
import io.longhaul.authorization.token.StoredTokens;
import io.longhaul.authorization.token.TokenEndpoint;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A login for a person through their enterprise, which decides what the person may use: the extension
 * {@code io.modelcontextprotocol/enterprise-managed-authorization} (SEP-990). The identity provider of the enterprise
 * gives an assertion for one authorization server and one MCP server, and the authorization server gives a token for
 * it.
 *
 * @param provider the exact issuer of the identity provider
 * @param id       of this client at the identity provider
 * @param secret   of this client at the identity provider, or null
 * @param idToken  gives the token from the person's login
 */
public record EnterpriseLogin(
        String provider, String id, @Nullable String secret, Supplier<String> idToken) implements Grant {

    private static final String ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";

    @Override
    public Set<String> extensions() {
        return Set.of("io.modelcontextprotocol/enterprise-managed-authorization");
    }

    @Override
    public StoredTokens tokens(AuthorizationServer server, TokenEndpoint.RequestedAccess wanted, Parts parts)
            throws IOException {
        Assertion.checkTaken(server);
        var client = parts.registrations().own(server);
        if (client.isEmpty()) {
            throw new IOException("The authorization server " + server.issuer()
                    + " has to know this client: register the client there, and give its id.");
        }
        var grant = identity(server, wanted, parts).grant();
        // The refresh token is dropped, so that the enterprise is asked each time.
        return parts.endpoint().ask(server, client, grant, wanted).withoutRefresh();
    }

    private Assertion identity(AuthorizationServer server, TokenEndpoint.RequestedAccess wanted, Parts parts)
            throws IOException {
        var issuer = URI.create(provider);
        // The host names the provider, not the MCP server. So the provider may be nearer to the client than the server.
        var http = new GuardedHttp(NamedAddresses.by(issuer), parts.http().client());
        var at = new Discovery(http, issuer).authorizationServer(provider, false);
        var client = new RegisteredClient(id, secret, ClientRegistrations.method(at, secret), ClientIdentity.ANY_PORT);
        var login = new TypelessToken(Assertion.of(idToken).text());
        return parts.endpoint().over(http).exchange(at, client, exchange(login, server), wanted);
    }

    /** "`audience` MUST be the issuer identifier of the Resource Authorization Server." */
    private static TokenExchangeGrant exchange(TypelessToken login, AuthorizationServer server) {
        var audience = List.of(new Audience(server.issuer()));
        return new TokenExchangeGrant(login, TokenTypeURI.ID_TOKEN, null, null, idJag(), audience);
    }

    private static TokenTypeURI idJag() {
        try {
            return TokenTypeURI.parse(ID_JAG);
        } catch (ParseException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Does not show the secret. */
    @Override
    public String toString() {
        return "login of " + id + " at " + provider;
    }
}
