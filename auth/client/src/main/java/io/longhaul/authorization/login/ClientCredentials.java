// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.login;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.oauth2.sdk.AuthorizationGrant;
import com.nimbusds.oauth2.sdk.ClientCredentialsGrant;
import com.nimbusds.oauth2.sdk.assertions.jwt.JWTAssertionDetails;
import com.nimbusds.oauth2.sdk.assertions.jwt.JWTAssertionFactory;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.JWTAuthenticationClaimsSet;
import com.nimbusds.oauth2.sdk.auth.PrivateKeyJWT;
import com.nimbusds.oauth2.sdk.id.Audience;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.Subject;
import io.longhaul.authorization.discovery.AuthorizationServer;
import io.longhaul.authorization.token.Assertion;
import io.longhaul.authorization.token.StoredTokens;
import io.longhaul.authorization.token.TokenEndpoint;
import java.io.IOException;
import java.security.PrivateKey;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A client that acts for itself: "machine-to-machine authentication without user interaction", by the extension
 * {@code io.modelcontextprotocol/oauth-client-credentials}.
 *
 * @param key the key that signs the client's assertion, or null for the secret of its registration
 */
public record ClientCredentials(@Nullable SigningKey key) implements Grant {

    /**
     * The key with which a client is registered.
     *
     * @param id        of the client
     * @param algorithm such as {@code ES256}
     */
    public record SigningKey(String id, PrivateKey key, String algorithm) {}

    @Override
    public Set<String> extensions() {
        return Set.of("io.modelcontextprotocol/oauth-client-credentials");
    }

    @Override
    public StoredTokens tokens(AuthorizationServer server, TokenEndpoint.RequestedAccess wanted, Parts parts)
            throws IOException {
        return asked(server, new ClientCredentialsGrant(), wanted, parts);
    }

    /** Gets tokens by another grant, with which the client authenticates itself as for its own. */
    StoredTokens asked(
            AuthorizationServer server, AuthorizationGrant grant, TokenEndpoint.RequestedAccess wanted, Parts parts)
            throws IOException {
        var tokens = key == null
                ? parts.endpoint().ask(server, parts.registrations().own(server), grant, wanted)
                : parts.endpoint().ask(server, signed(server, key), grant, wanted);
        return tokens.withoutRefresh();
    }

    /** Signs the client's assertion. The audience is the issuer: another server could name the same endpoint. */
    private static ClientAuthentication signed(AuthorizationServer server, SigningKey key) throws IOException {
        try {
            var claims = new JWTAuthenticationClaimsSet(new ClientID(key.id()), new Audience(server.issuer()));
            return new PrivateKeyJWT(claims, JWSAlgorithm.parse(key.algorithm()), key.key(), null, null);
        } catch (JOSEException e) {
            throw unusable(key, e);
        }
    }

    /** A statement of this client, by its key, that it acts for a user of the server. */
    Assertion assertion(AuthorizationServer server, String subject) throws IOException {
        var by = Objects.requireNonNull(key, "the client has no key");
        var claims = new JWTAssertionDetails(new Issuer(by.id()), new Subject(subject), new Audience(server.issuer()));
        try {
            var algorithm = JWSAlgorithm.parse(by.algorithm());
            return new Assertion(JWTAssertionFactory.create(claims, algorithm, by.key(), null, null, null, null)
                    .serialize());
        } catch (JOSEException e) {
            throw unusable(by, e);
        }
    }

    private static IOException unusable(SigningKey key, JOSEException e) {
        return new IOException("The key of the client cannot sign with " + key.algorithm() + ".", e);
    }
}
