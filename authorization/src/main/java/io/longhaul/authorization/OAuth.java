// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import io.longhaul.authorization.ClientCredentials.SigningKey;
import io.longhaul.protocol.transport.Authorization;
import io.longhaul.protocol.transport.RequestAuthorizer;
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
 * OAuth for a client of MCP servers: when a server refuses a request, this finds the server's authorization server,
 * gets a token there, keeps it, and renews it when it expires or does not suffice. The flows are those of 2026-07-28,
 * and servers of 2025-03-26 and later are understood. Where a server takes tokens that are bound to a key of the client
 * (DPoP, RFC 9449), they are, and the key is kept with them. Each setting is made before the first connection; not
 * thread-safe until then.
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
     * @param opener   opens a browser at an address, or shows the address; an exception of it ends the login
     * @param patience how long the person may take
     */
    public static OAuth browser(Consumer<URI> opener, Duration patience) {
        return new OAuth(new BrowserLogin(opener, patience));
    }

    /** Asks nobody: uses tokens that were kept by an earlier login, and renews them as long as that goes. */
    public static OAuth kept(TokenStore tokens) {
        return new OAuth(new NoGrant()).tokens(tokens);
    }

    /**
     * Acts for the client itself, which is registered with a secret. The authorization server that the MCP server
     * names is shown the secret, unless {@link #issuer} says which one may be.
     */
    public static OAuth clientCredentials(String id, String secret) {
        return new OAuth(new ClientCredentials(null)).registered(id, secret);
    }

    /**
     * Acts for the client itself, which is registered with a public key ({@code private_key_jwt}).
     *
     * @param algorithm by which the key signs, such as {@code ES256} or {@code RS256}
     */
    public static OAuth clientCredentials(String id, PrivateKey key, String algorithm) {
        return new OAuth(new ClientCredentials(new SigningKey(id, key, algorithm))).registered(id, null);
    }

    /**
     * Acts for the client itself, as the workload that its platform says it is, such as a pod of Kubernetes by its
     * projected token. The authorization server that the MCP server names is shown what the platform says, unless
     * {@link #issuer} says which one may be: give tokens that are for that one alone.
     *
     * @param platform gives a fresh signed token (JWT) of the workload for an authorization server, which is named by
     *                 its issuer; is called for each token that is asked for
     */
    public static OAuth workload(Function<String, String> platform) {
        return new OAuth(new WorkloadIdentity(platform));
    }

    /**
     * Acts for a person who has logged in at their enterprise, without asking the person: the identity provider of the
     * enterprise decides whether this client may use the server for that person. Say with {@link #registered} or {@link
     * #metadataDocument} who the client is at the authorization server of the MCP server.
     *
     * @param provider the issuer of the identity provider, to the letter
     * @param id       of this client at the identity provider
     * @param secret   of this client there, or null where it has none
     * @param idToken  gives the ID token of the person's login, which is fresh enough to be used; is called for each
     *                 token that is asked for
     * @throws IllegalArgumentException where the provider is no address
     */
    public static OAuth enterprise(String provider, String id, @Nullable String secret, Supplier<String> idToken) {
        if (URI.create(provider).getHost() == null) {
            throw new IllegalArgumentException(provider + " is no issuer, which has an address");
        }
        return new OAuth(new EnterpriseLogin(provider, id, secret, idToken));
    }

    /** What the client is called on the page where a person lets it in. */
    public OAuth name(String name) {
        identity = identity.named(name, identity.redirect());
        return this;
    }

    /** Uses a registration that somebody made by hand, in place of one that the client makes itself. */
    public OAuth registered(String id, @Nullable String secret) {
        identity = identity.registered(id, secret);
        return this;
    }

    /**
     * Uses the address of the client's metadata document as its id, where the authorization server takes such.
     *
     * @throws IllegalArgumentException where that is no {@code https} address with a path
     */
    public OAuth metadataDocument(URI document) {
        identity = identity.documented(document);
        return this;
    }

    /**
     * Where on this machine the browser brings the answer to a login, such as {@code http://127.0.0.1:8085/callback}; a
     * free port in place of port 0, which is the default.
     *
     * @throws IllegalArgumentException where that is not on this machine
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
     * Takes tokens of this authorization server alone, by its issuer to the letter. Where a client is registered by
     * hand, this keeps a server from having the client show its secret elsewhere.
     */
    public OAuth issuer(String only) {
        issuer = only;
        return this;
    }

    /** Asks for these scopes, in place of those that a server has for basic use. */
    public OAuth scopes(String... wanted) {
        scopes = List.of(wanted);
        return this;
    }

    /** Keeps tokens and registrations here; by default they are forgotten with the process. */
    public OAuth tokens(TokenStore store) {
        tokens = store;
        return this;
    }

    /**
     * Asks authorization servers, and for the documents of servers, by this client, which has the host's proxy and
     * certificates. Requests to the MCP server itself go by the client that is given to its builder.
     *
     * <p>With a proxy, addresses that a server names are still checked here: a name that this machine cannot resolve is
     * not asked for, and neither is one whose address here is nearer than the server. The proxy resolves the name once
     * more, and connects to what it finds. A proxy with another view of the network has to have rules of its own for
     * what it connects to.
     *
     * @throws IllegalArgumentException where the client follows redirects by itself, and so by no rule of ours
     */
    public OAuth over(HttpClient client) {
        if (client.followRedirects() != HttpClient.Redirect.NEVER) {
            throw new IllegalArgumentException("The HTTP client follows redirects: give one that does not");
        }
        http = client;
        return this;
    }

    /** Whether there are tokens for a server. */
    public boolean isKept(URI server) {
        return tokens.load(OAuthAuthorizer.name(server)).isPresent();
    }

    /** Forgets the tokens for a server: the next request that the server refuses takes a new login. */
    public void forget(URI server) {
        tokens.remove(OAuthAuthorizer.name(server));
    }

    /** The clock; for tests. */
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
