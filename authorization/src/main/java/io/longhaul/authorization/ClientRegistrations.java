// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import com.nimbusds.oauth2.sdk.GrantType;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.client.ClientMetadata;
import io.longhaul.protocol.json.JsonTree;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * By what a client is known to each authorization server: "pre-registered client information", else its metadata
 * document where the server takes such, else a registration that the client makes itself and keeps. What is kept is
 * kept by issuer, because clients "MUST NOT reuse client credentials from a different authorization server".
 */
record ClientRegistrations(ClientIdentity identity, TokenStore store, GuardedHttp http) {

    private static String name(AuthorizationServer server) {
        return "client " + server.issuer();
    }

    /** The client as the server knows it so far; empty where it has to register. */
    Optional<RegisteredClient> known(AuthorizationServer server) {
        return own(server).or(() -> store.load(name(server)).flatMap(RegisteredClient::parse));
    }

    /** The client as the host has made it known, by hand or by its metadata document; empty where it has not. */
    Optional<RegisteredClient> own(AuthorizationServer server) {
        var id = identity.id();
        var document = identity.document();
        if (id != null) {
            return Optional.of(
                    new RegisteredClient(id, identity.secret(), method(server, identity.secret()), redirect()));
        }
        return document != null && server.takesMetadataDocuments()
                ? Optional.of(
                        new RegisteredClient(document.toString(), null, ClientAuthenticationMethod.NONE, redirect()))
                : Optional.empty();
    }

    private URI redirect() {
        return identity.redirect();
    }

    /** Registers the client where it has to, for answers that come to an address of this machine. */
    RegisteredClient known(AuthorizationServer server, URI redirect) throws IOException {
        var own = own(server);
        if (own.isPresent()) {
            // For a client that only renews the tokens, and is not told who it is.
            store.save(name(server), own.get().text());
            return own.get();
        }
        var known = known(server);
        if (known.isPresent() && known.get().redirect().equals(redirect)) {
            return known.get();
        }
        var endpoint = server.metadata().getRegistrationEndpointURI();
        if (endpoint == null) {
            throw new IOException("The authorization server " + server.issuer()
                    + " registers no clients by itself: register one there, and give its id.");
        }
        var client = register(server, endpoint, redirect);
        store.save(name(server), client.text());
        return client;
    }

    /** The server does not know the client any more: the next login registers it again. */
    void forget(AuthorizationServer server) {
        store.remove(name(server));
    }

    private RegisteredClient register(AuthorizationServer server, URI endpoint, URI redirect) throws IOException {
        var wanted = Stream.of(
                        ClientAuthenticationMethod.NONE,
                        ClientAuthenticationMethod.CLIENT_SECRET_BASIC,
                        ClientAuthenticationMethod.CLIENT_SECRET_POST)
                .filter(server::takes)
                .findFirst()
                .orElse(ClientAuthenticationMethod.NONE);
        var metadata = new ClientMetadata();
        metadata.setName(identity.name());
        metadata.setRedirectionURI(redirect);
        metadata.setGrantTypes(Set.of(GrantType.AUTHORIZATION_CODE, GrantType.REFRESH_TOKEN));
        metadata.setResponseTypes(Set.of(ResponseType.CODE));
        metadata.setTokenEndpointAuthMethod(wanted);
        // "MCP clients MUST specify an appropriate `application_type`"; one that waits on localhost is native.
        metadata.setCustomField("application_type", "native");
        var answer = http.post(
                endpoint,
                Map.of("Content-Type", "application/json"),
                metadata.toJSONObject().toString());
        if (answer.status() / 100 != 2) {
            throw new IOException("The authorization server " + server.issuer() + " does not register this client: "
                    + RefusedToken.words(answer));
        }
        try {
            var node = JsonTree.read(answer.body().getBytes(StandardCharsets.UTF_8));
            var id = node.required("client_id").stringValue();
            var secret = node.path("client_secret").asString(null);
            var method = node.path("token_endpoint_auth_method").asString(null);
            return new RegisteredClient(
                    id,
                    secret,
                    method == null ? method(server, secret) : new ClientAuthenticationMethod(method),
                    redirect);
        } catch (RuntimeException e) {
            throw new IOException(
                    "The authorization server " + server.issuer() + " answered the registration with no client id.", e);
        }
    }

    /** How a client with or without a secret proves who it is. */
    static ClientAuthenticationMethod method(AuthorizationServer server, @Nullable String secret) {
        if (secret == null) {
            return ClientAuthenticationMethod.NONE;
        }
        return List.of(ClientAuthenticationMethod.CLIENT_SECRET_BASIC, ClientAuthenticationMethod.CLIENT_SECRET_POST)
                .stream()
                .filter(server::takes)
                .findFirst()
                .orElse(ClientAuthenticationMethod.CLIENT_SECRET_BASIC);
    }
}
