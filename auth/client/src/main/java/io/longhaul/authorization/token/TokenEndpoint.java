// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.token;

import com.nimbusds.oauth2.sdk.AuthorizationGrant;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.tokenexchange.TokenExchangeGrant;
import io.longhaul.authorization.discovery.AuthorizationServer;
import io.longhaul.authorization.discovery.ScopeChoice;
import io.longhaul.authorization.fetch.GuardedHttp;
import io.longhaul.authorization.fetch.ServerAwayException;
import io.longhaul.authorization.proof.ProofKey;
import io.longhaul.authorization.proof.Proofs;
import io.longhaul.protocol.json.JsonTree;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Asks authorization servers for tokens.
 *
 * @param key the key to which to bind the tokens, or null
 */
public record TokenEndpoint(
        GuardedHttp http,
        InstantSource clock,
        Proofs proofs,
        @Nullable ProofKey key) {

    /** The longest life of a token that is reckoned with. */
    private static final Duration LONGEST = Duration.ofDays(3650);

    /**
     * The resource and the scopes of a requested token.
     *
     * @param resource "MUST identify the MCP server that the client intends to use the token with"
     * @param scopes   none for the scopes that the server grants by default
     */
    public record RequestedAccess(URI resource, List<String> scopes) {
        public RequestedAccess {
            scopes = List.copyOf(scopes);
        }
    }

    /** This endpoint for tokens without a key, under other rules for addresses. */
    public TokenEndpoint over(GuardedHttp other) {
        return new TokenEndpoint(other, clock, proofs, null);
    }

    /** Requests tokens as a registered client, or anonymously. */
    public StoredTokens ask(
            AuthorizationServer server,
            Optional<RegisteredClient> client,
            AuthorizationGrant grant,
            RequestedAccess wanted)
            throws IOException {
        return tokens(server, request(builder(server, client, grant), wanted), wanted, client.orElse(null));
    }

    /** Requests tokens with this authentication of the client. */
    public StoredTokens ask(
            AuthorizationServer server, ClientAuthentication proof, AuthorizationGrant grant, RequestedAccess wanted)
            throws IOException {
        return tokens(server, request(new TokenRequest.Builder(endpoint(server), proof, grant), wanted), wanted, null);
    }

    /** Exchanges a token for an assertion (RFC 8693), of the type that the grant names. */
    public Assertion exchange(
            AuthorizationServer server, RegisteredClient client, TokenExchangeGrant grant, RequestedAccess wanted)
            throws IOException {
        var response = response(server, request(builder(server, Optional.of(client), grant), wanted));
        var given = response.path("access_token").asString("");
        var type = grant.getRequestedTokenType().getURI().toString();
        if (given.isEmpty() || !response.path("issued_token_type").asString("").equals(type)) {
            throw new IOException(
                    "The authorization server " + server.issuer() + " gave no token of type " + type + ".");
        }
        return new Assertion(given);
    }

    private static TokenRequest.Builder builder(
            AuthorizationServer server, Optional<RegisteredClient> client, AuthorizationGrant grant)
            throws IOException {
        var at = endpoint(server);
        if (client.isEmpty()) {
            return new TokenRequest.Builder(at, grant);
        }
        var proof = proof(client.get());
        return proof.isPresent()
                ? new TokenRequest.Builder(at, proof.get(), grant)
                : new TokenRequest.Builder(at, new ClientID(client.get().id()), grant);
    }

    private static Optional<ClientAuthentication> proof(RegisteredClient client) {
        var secret = client.secret();
        if (secret == null || client.method().equals(ClientAuthenticationMethod.NONE)) {
            return Optional.empty();
        }
        var id = new ClientID(client.id());
        return Optional.of(
                client.method().equals(ClientAuthenticationMethod.CLIENT_SECRET_POST)
                        ? new ClientSecretPost(id, new Secret(secret))
                        : new ClientSecretBasic(id, new Secret(secret)));
    }

    private static TokenRequest request(TokenRequest.Builder builder, RequestedAccess wanted) {
        builder.resources(wanted.resource());
        if (!wanted.scopes().isEmpty()) {
            builder.scope(new Scope(wanted.scopes().toArray(String[]::new)));
        }
        return builder.build();
    }

    private static URI endpoint(AuthorizationServer server) throws IOException {
        var endpoint = server.metadata().getTokenEndpointURI();
        if (endpoint == null) {
            throw new IOException("The authorization server " + server.issuer() + " has no token endpoint.");
        }
        return endpoint;
    }

    private StoredTokens tokens(
            AuthorizationServer server, TokenRequest request, RequestedAccess wanted, @Nullable RegisteredClient client)
            throws IOException {
        var sent = clock.instant();
        var response = response(server, request);
        var access = response.path("access_token").asString("");
        var type = key == null ? "Bearer" : "DPoP";
        // A bearer token in place of a bound one: "the client MUST discard the response" (RFC 9449, 5).
        if (access.isEmpty() || !response.path("token_type").asString("").equalsIgnoreCase(type)) {
            throw new IOException(
                    "The authorization server " + server.issuer() + " gave no token of type " + type + ".");
        }
        var granted = ScopeChoice.read(response.path("scope").asString(""));
        var seconds = Math.min(response.path("expires_in").asLong(0), LONGEST.toSeconds());
        return new StoredTokens(
                access,
                StoredTokens.given(response, "refresh_token"),
                seconds > 0 ? sent.plusSeconds(seconds) : null,
                server.issuer(),
                new RequestedAccess(wanted.resource(), ScopeChoice.further(wanted.scopes(), granted)),
                new StoredTokens.Holder(client, key));
    }

    private JsonNode response(AuthorizationServer server, TokenRequest request) throws IOException {
        var response = post(endpoint(server), request.toHTTPRequest());
        if (response.status() / 100 == 5 || response.status() == 429) {
            throw new ServerAwayException("The authorization server " + server.issuer() + " answered HTTP "
                    + response.status() + ": try again later.");
        }
        if (response.status() != 200) {
            throw new TokenRefusedException(server.issuer(), response);
        }
        try {
            return JsonTree.read(response.body().getBytes(StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new IOException("The authorization server " + server.issuer() + " answered with no JSON.", e);
        }
    }

    /** Posts a form, and repeats it once where the server refuses it and gives a nonce for the proof. */
    private GuardedHttp.Response post(URI endpoint, HTTPRequest form) throws IOException {
        var response = post(endpoint, form, key);
        return key != null && TokenRefusedException.isNonceWanted(response) ? post(endpoint, form, key) : response;
    }

    private GuardedHttp.Response post(URI endpoint, HTTPRequest form, @Nullable ProofKey by) throws IOException {
        var headers = new HashMap<String, String>();
        form.getHeaderMap().forEach((name, values) -> headers.put(name, values.getFirst()));
        if (by != null) {
            headers.put(Proofs.HEADER, proofs.proof(by, "POST", endpoint, null));
        }
        var response = http.post(endpoint, headers, form.getBody());
        proofs.heard(endpoint, response.nonce());
        return response;
    }
}
