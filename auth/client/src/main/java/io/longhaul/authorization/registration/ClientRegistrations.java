// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.registration;

import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.oauth2.sdk.GrantType;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.client.ClientMetadata;
import io.longhaul.authorization.discovery.AuthorizationServer;
import io.longhaul.authorization.fetch.GuardedHttp;
import io.longhaul.authorization.token.RegisteredClient;
import io.longhaul.authorization.token.StoredTokens;
import io.longhaul.authorization.token.TokenRefusedException;
import io.longhaul.protocol.json.JsonTree;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the registration of a client at each authorization server: "pre-registered client information", else its
 * metadata document where the server takes one, else a registration that the client makes itself and keeps.
 * Registrations are kept by issuer, because clients "MUST NOT reuse client credentials from a different authorization
 * server".
 */
public record ClientRegistrations(ClientIdentity identity, SecretStore store, GuardedHttp http) {

    private static String name(String issuer) {
        return "client " + issuer;
    }

    /** The secret tells apart clients that have the same id at several authorization servers. */
    private static String bindingName(String id, String secret) {
        return "issuer of " + id + " " + Base64URL.encode(new Secret(secret).getSHA256());
    }

    private static String bindingName(URI server) {
        return "binding for " + server;
    }

    /**
     * Remembers that a client with a secret has got tokens of an authorization server for an MCP server: "Clients that
     * use pre-registered credentials [...] MUST associate those credentials with the specific authorization server that
     * issued them".
     */
    public void bind(String issuer, URI server) {
        if (identity.id() != null && identity.secret() != null) {
            var name = bindingName(identity.id(), identity.secret());
            store.save(name, issuer);
            store.save(bindingName(server), name);
        }
    }

    /** Forgets which authorization server has the secret of the client that was last used for an MCP server. */
    public static void unbind(SecretStore store, URI server) {
        store.load(bindingName(server)).ifPresent(store::remove);
        store.remove(bindingName(server));
    }

    /** The only authorization server that gets the secret of the client, by its issuer; empty before the first use. */
    public Optional<String> bound() {
        return identity.id() == null || identity.secret() == null
                ? Optional.empty()
                : store.load(bindingName(identity.id(), identity.secret()));
    }

    /** The client as the server knows it so far; empty where the client has to register. */
    public Optional<RegisteredClient> known(AuthorizationServer server) {
        return own(server).or(() -> store.load(name(server.issuer())).flatMap(RegisteredClient::parse));
    }

    /** The client that got these tokens, with its present secret: no other client can use their refresh token. */
    public Optional<RegisteredClient> of(StoredTokens tokens, AuthorizationServer server) {
        var holder = Optional.ofNullable(tokens.holder().client());
        return holder.isEmpty()
                ? known(server)
                : own(server).filter(own -> own.id().equals(holder.get().id())).or(() -> holder);
    }

    /** The client by its manual registration or its metadata document; empty where the host has given neither. */
    public Optional<RegisteredClient> own(AuthorizationServer server) {
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

    /**
     * The registration of the client for responses to an address of this machine; registers the client where needed.
     */
    public RegisteredClient known(AuthorizationServer server, URI redirect) throws IOException {
        var own = own(server);
        if (own.isPresent()) {
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
        store.save(name(server.issuer()), client.text());
        return client;
    }

    /**
     * Forgets the registration of a client that the server no longer knows: the next login registers the client again.
     *
     * @return whether that client was registered
     */
    public static boolean forget(SecretStore store, String issuer, String id) {
        var name = name(issuer);
        boolean isKept = store.load(name)
                .flatMap(RegisteredClient::parse)
                .filter(client -> client.id().equals(id))
                .isPresent();
        if (isKept) {
            store.remove(name);
        }
        return isKept;
    }

    private RegisteredClient register(AuthorizationServer server, URI endpoint, URI redirect) throws IOException {
        var wanted = server.firstTaken(
                ClientAuthenticationMethod.NONE,
                ClientAuthenticationMethod.CLIENT_SECRET_BASIC,
                ClientAuthenticationMethod.CLIENT_SECRET_POST);
        var metadata = new ClientMetadata();
        metadata.setName(identity.name());
        metadata.setRedirectionURI(redirect);
        metadata.setGrantTypes(Set.of(GrantType.AUTHORIZATION_CODE, GrantType.REFRESH_TOKEN));
        metadata.setResponseTypes(Set.of(ResponseType.CODE));
        metadata.setTokenEndpointAuthMethod(wanted);
        // "MCP clients MUST specify an appropriate `application_type`"; a client that waits on localhost is native.
        metadata.setCustomField("application_type", "https".equals(redirect.getScheme()) ? "web" : "native");
        var response = http.post(
                endpoint,
                Map.of("Content-Type", "application/json"),
                metadata.toJSONObject().toString());
        if (response.status() / 100 != 2) {
            throw new IOException("The authorization server " + server.issuer() + " does not register this client: "
                    + TokenRefusedException.words(response));
        }
        try {
            var node = JsonTree.read(response.body().getBytes(StandardCharsets.UTF_8));
            var id = Objects.requireNonNull(StoredTokens.given(node, "client_id"));
            var secret = StoredTokens.given(node, "client_secret");
            var method = StoredTokens.given(node, "token_endpoint_auth_method");
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

    /** The method by which a client with or without a secret authenticates. */
    public static ClientAuthenticationMethod method(AuthorizationServer server, @Nullable String secret) {
        return secret == null
                ? ClientAuthenticationMethod.NONE
                : server.firstTaken(
                        ClientAuthenticationMethod.CLIENT_SECRET_BASIC, ClientAuthenticationMethod.CLIENT_SECRET_POST);
    }
}
