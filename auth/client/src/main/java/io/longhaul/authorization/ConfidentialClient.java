// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import io.longhaul.authorization.fetch.GuardedHttp;
import io.longhaul.authorization.fetch.NamedAddresses;
import io.longhaul.authorization.login.ClientCredentials;
import io.longhaul.authorization.login.ClientCredentials.SigningKey;
import io.longhaul.authorization.login.Grant;
import io.longhaul.authorization.login.SignedSubject;
import io.longhaul.authorization.login.TokenExchange;
import io.longhaul.authorization.registration.ClientIdentity;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.call.PrincipalName;
import io.longhaul.protocol.transport.client.Authorization;
import java.net.URI;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateKey;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A client with credentials of one authorization server, which the deployer names: gets tokens there for itself, or in
 * the name of callers. A token is valid for one server alone (RFC 8707), and is kept in memory until shortly before it
 * expires. The servers have no say in where tokens come from, unlike for {@link OAuth}. Immutable.
 */
public final class ConfidentialClient {

    private static final Map<Integer, String> CURVES = Map.of(256, "ES256", 384, "ES384", 521, "ES512");

    private final String issuer;
    private final String id;
    private final ClientCredentials credentials;
    private final @Nullable Callable<String> secret;
    private final List<String> scopes;
    private final InstantSource clock;

    private ConfidentialClient(
            String issuer,
            String id,
            ClientCredentials credentials,
            @Nullable Callable<String> secret,
            List<String> scopes,
            InstantSource clock) {
        this.issuer = issuer;
        this.id = id;
        this.credentials = credentials;
        this.secret = secret;
        this.scopes = List.copyOf(scopes);
        this.clock = clock;
    }

    /**
     * A client that is registered with a secret.
     *
     * @param issuer the exact issuer of the authorization server
     * @param secret read for each requested token
     * @throws IllegalArgumentException where the issuer is no address
     */
    public static ConfidentialClient withSecret(String issuer, String id, Callable<String> secret) {
        return new ConfidentialClient(
                checked(issuer), id, new ClientCredentials(null), secret, List.of(), InstantSource.system());
    }

    /**
     * A client that is registered with a public key ({@code private_key_jwt}).
     *
     * @throws IllegalArgumentException where the issuer is no address, or the key is neither RSA nor of a NIST curve
     */
    public static ConfidentialClient withKey(String issuer, String id, PrivateKey key) {
        var credentials = new ClientCredentials(new SigningKey(id, key, algorithm(key)));
        return new ConfidentialClient(checked(issuer), id, credentials, null, List.of(), InstantSource.system());
    }

    private static String checked(String issuer) {
        if (URI.create(issuer).getHost() == null) {
            throw new IllegalArgumentException(issuer + " is no issuer, which has an address");
        }
        return issuer;
    }

    private static String algorithm(PrivateKey key) {
        var named = key instanceof RSAPrivateKey
                ? "RS256"
                : key instanceof ECPrivateKey curve
                        ? CURVES.get(curve.getParams().getOrder().bitLength())
                        : null;
        if (named == null) {
            throw new IllegalArgumentException("the key of the client is neither RSA nor of a curve P-256 to P-521");
        }
        return named;
    }

    /** Requests these scopes, in place of those that the authorization server grants by default. */
    public ConfidentialClient scopes(List<String> wanted) {
        return new ConfidentialClient(issuer, id, credentials, secret, wanted, clock);
    }

    /** Sets the clock; for tests. */
    ConfidentialClient clock(InstantSource source) {
        return new ConfidentialClient(issuer, id, credentials, secret, scopes, source);
    }

    /** Acts for the client itself. */
    public Authorization itself() {
        return by(credentials);
    }

    /** Acts in the name of a caller, whose access token the authorization server exchanges (RFC 8693). */
    public Authorization exchanging(CallerInfo caller, CallerTokens tokens) {
        return by(new TokenExchange(credentials, () -> tokens.of(caller)));
    }

    /**
     * Acts in the name of a caller, whom an assertion names that the client signs with its key (RFC 7523, 2.1). The
     * caller must be a user of this authorization server: a subject of another one may be another person.
     *
     * @throws IllegalArgumentException where the caller is none, or the client has no key
     */
    public Authorization asserting(CallerInfo caller) {
        var subject = PrincipalName.of(caller.principal())
                .filter(name -> issuer.equals(name.issuer()))
                .flatMap(name -> Optional.ofNullable(name.subject()));
        if (subject.isEmpty() || credentials.key() == null) {
            throw new IllegalArgumentException("the caller is no user of " + issuer + ", or the client has no key");
        }
        return by(new SignedSubject(credentials, subject.get()));
    }

    private Authorization by(Grant grant) {
        return server -> new GrantedTokens(this, grant, server);
    }

    String issuer() {
        return issuer;
    }

    List<String> scopes() {
        return scopes;
    }

    InstantSource clock() {
        return clock;
    }

    /** @throws java.io.IOException where the secret cannot be read */
    ClientIdentity identity() throws Exception {
        return ClientIdentity.named("Longhaul").registered(id, secret == null ? null : secret.call());
    }

    /** HTTP under the rules for addresses that the authorization server names, which may be nearer than the server. */
    GuardedHttp http() throws java.io.IOException {
        return new GuardedHttp(NamedAddresses.by(URI.create(issuer)), GuardedHttp.ownClient());
    }

    /** Shows no secret. */
    @Override
    public String toString() {
        return "client " + id + " of " + issuer;
    }
}
