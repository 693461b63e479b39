// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import io.longhaul.authorization.fetch.GuardedHttp;
import io.longhaul.authorization.login.BrowserLogin;
import io.longhaul.authorization.login.ClientCredentials;
import io.longhaul.authorization.login.ClientCredentials.SigningKey;
import io.longhaul.authorization.login.EnterpriseLogin;
import io.longhaul.authorization.login.Grant;
import io.longhaul.authorization.login.NoGrant;
import io.longhaul.authorization.login.WorkloadIdentity;
import io.longhaul.authorization.registration.ClientIdentity;
import io.longhaul.authorization.registration.ClientRegistrations;
import io.longhaul.authorization.token.StoredTokens;
import io.longhaul.protocol.transport.client.Authorization;
import io.longhaul.protocol.transport.client.RequestAuthorizer;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * OAuth for a client of MCP servers: when a server refuses a request, the client finds the server's authorization
 * server, gets a token there, and keeps the token. The client renews a token that expires or does not suffice. The
 * flows are those of 2026-07-28; servers of 2025-03-26 and later are supported. Where a server takes tokens that are
 * bound to a key of the client (DPoP, RFC 9449), the client uses such tokens, and keeps the key with them. Make all
 * settings before the first connection; not thread-safe until then.
 *
 * <pre>{@code
 * var login = OAuth.browser(address -> Desktop.getDesktop().browse(address)).tokens(TokenStore.file(file));
 * try (var client = McpClient.to(server).authorize(login).connect()) { ... }
 * }</pre>
 */
public final class OAuth implements Authorization {

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Grant grant;
    private ClientIdentity identity = ClientIdentity.named("Longhaul");
    private TokenStore tokens = TokenStore.inMemory();
    private List<String> scopes = List.of();
    private InstantSource clock = InstantSource.system();
    private boolean isAnew;
    private @Nullable String issuer;
    private @Nullable HttpClient http;

    private OAuth(Grant grant) {
        this.grant = grant;
    }

    /** Has a person log in, within five minutes. */
    public static OAuth browser(Consumer<URI> opener) {
        return browser(opener, PATIENCE);
    }

    /**
     * Has a person log in.
     *
     * @param opener   opens a browser at an address, or shows the address; its exception ends the login
     * @param patience how long the person may take
     */
    public static OAuth browser(Consumer<URI> opener, Duration patience) {
        return new OAuth(new BrowserLogin(opener, patience));
    }

    /** Uses the kept tokens of an earlier login, and renews them while that is possible. Never asks a person. */
    public static OAuth kept(TokenStore tokens) {
        return new OAuth(new NoGrant()).tokens(tokens);
    }

    /**
     * Acts for the client itself, which is registered with a secret. The secret goes to the authorization server that
     * the MCP server names at the first use, and then to no other one, as long as the {@linkplain #tokens store} lasts,
     * or until {@link #forget}. {@link #issuer} says which one it is, beforehand or after a change.
     */
    public static OAuth clientCredentials(String id, String secret) {
        return new OAuth(new ClientCredentials(null)).registered(id, secret);
    }

    /**
     * Acts for the client itself, which is registered with a public key ({@code private_key_jwt}).
     *
     * @param algorithm of the signature, such as {@code ES256} or {@code RS256}
     */
    public static OAuth clientCredentials(String id, PrivateKey key, String algorithm) {
        return new OAuth(new ClientCredentials(new SigningKey(id, key, algorithm))).registered(id, null);
    }

    /**
     * Acts for the client itself, as a workload that its platform identifies, such as a pod of Kubernetes by its
     * projected token. The platform's token goes to the authorization server that the MCP server names, unless
     * {@link #issuer} restricts that: give tokens that are valid only for that authorization server.
     *
     * @param platform gives a fresh signed token (JWT) of the workload for an authorization server, which is named by
     *     its issuer; called for each requested token
     */
    public static OAuth workload(Function<String, String> platform) {
        return new OAuth(new WorkloadIdentity(platform));
    }

    /**
     * Acts for a person who has logged in at their enterprise, without asking the person: the identity provider of the
     * enterprise decides whether this client may use the server for that person. Set the identity of the client at the
     * authorization server of the MCP server with {@link #registered} or {@link #metadataDocument}.
     *
     * @param provider the exact issuer of the identity provider
     * @param id       of this client at the identity provider
     * @param secret   of this client at the identity provider, or null where the client has none
     * @param idToken  gives a valid ID token of the person's login; called for each requested token
     * @throws IllegalArgumentException where the provider is no address
     */
    public static OAuth enterprise(String provider, String id, @Nullable String secret, Supplier<String> idToken) {
        if (URI.create(provider).getHost() == null) {
            throw new IllegalArgumentException(provider + " is no issuer, which has an address");
        }
        return new OAuth(new EnterpriseLogin(provider, id, secret, idToken));
    }

    /** Sets the name of the client on the page where a person admits it. */
    public OAuth name(String name) {
        identity = identity.named(name, identity.redirect());
        return this;
    }

    /**
     * Uses a manual registration, in place of one that the client makes itself. A secret goes to one authorization
     * server alone, as for {@link #clientCredentials(String, String)}.
     */
    public OAuth registered(String id, @Nullable String secret) {
        identity = identity.registered(id, secret);
        return this;
    }

    /**
     * Uses the address of the client's metadata document as its id, where the authorization server takes such ids.
     *
     * @throws IllegalArgumentException where the address is no {@code https} address with a path
     */
    public OAuth metadataDocument(URI document) {
        identity = identity.documented(document);
        return this;
    }

    /**
     * Sets the address on this machine to which the browser brings the answer to a login, such as
     * {@code http://127.0.0.1:8085/callback}. Port 0, the default, stands for any free port.
     *
     * @throws IllegalArgumentException where the address is not on this machine
     */
    public OAuth redirect(URI address) {
        if (!"http".equals(address.getScheme())
                || !isLoopback(address.getHost())
                || address.getPath().isEmpty()) {
            throw new IllegalArgumentException(address + " is no http address on this machine with a path");
        }
        identity = identity.named(identity.name(), address);
        return this;
    }

    private static boolean isLoopback(@Nullable String host) {
        try {
            return host != null && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /**
     * Takes tokens only from this authorization server, by its exact issuer. For a manually registered client, this
     * prevents a server from having the client send its secret elsewhere.
     */
    public OAuth issuer(String only) {
        issuer = only;
        return this;
    }

    /** Requests these scopes, in place of those that a server names for basic use. */
    public OAuth scopes(String... wanted) {
        scopes = List.of(wanted);
        return this;
    }

    /**
     * Does not use the tokens that are kept so far, such as for other scopes or as another client: the first refused
     * request of each connection leads to a new login, whose tokens replace the kept ones.
     */
    public OAuth anew() {
        isAnew = true;
        return this;
    }

    /** Keeps tokens and registrations in this store; by default they are lost with the process. */
    public OAuth tokens(TokenStore store) {
        tokens = store;
        return this;
    }

    /**
     * Sends requests to authorization servers, and for the documents of servers, by this HTTP client, with the host's
     * proxy and certificates. Requests to the MCP server itself use the HTTP client of its builder.
     *
     * <p>With a proxy, the addresses that a server names are still checked on this machine: a host name is not
     * requested where this machine cannot resolve it, or where its address is nearer than the server. The proxy
     * resolves the name again, and connects to its own result. A proxy with another view of the network needs rules of
     * its own for its connections.
     *
     * @throws IllegalArgumentException where the HTTP client follows redirects by itself, without these checks
     */
    public OAuth over(HttpClient client) {
        if (client.followRedirects() != HttpClient.Redirect.NEVER) {
            throw new IllegalArgumentException("The HTTP client follows redirects: give one that does not");
        }
        http = client;
        return this;
    }

    /** Whether tokens for a server are kept. */
    public boolean isKept(URI server) {
        return tokens.load(OAuthAuthorizer.name(server)).isPresent();
    }

    /**
     * Removes the tokens for a server, the registration of the client that got them, and the choice of the
     * authorization server that gets the client's secret: the next refused request then needs a new login.
     */
    public void forget(URI server) {
        var name = OAuthAuthorizer.name(server);
        try (var held = tokens.hold(name)) {
            var kept = tokens.load(name).flatMap(StoredTokens::parse);
            tokens.remove(name);
            ClientRegistrations.unbind(tokens, server);
            kept.ifPresent(login -> Optional.ofNullable(login.holder().client())
                    .ifPresent(client -> ClientRegistrations.forget(tokens, login.issuer(), client.id())));
        }
    }

    /** Sets the clock; for tests. */
    OAuth clock(InstantSource source) {
        clock = source;
        return this;
    }

    @Override
    public RequestAuthorizer at(URI server) {
        return new OAuthAuthorizer(server, this);
    }

    Grant grant() {
        return grant;
    }

    ClientIdentity identity() {
        return identity;
    }

    TokenStore tokens() {
        return tokens;
    }

    boolean isAnew() {
        return isAnew;
    }

    List<String> scopes() {
        return scopes;
    }

    Optional<String> issuer() {
        return Optional.ofNullable(issuer);
    }

    InstantSource clock() {
        return clock;
    }

    HttpClient http() {
        return http == null ? GuardedHttp.ownClient() : http;
    }
}
