// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.discovery;

import com.nimbusds.oauth2.sdk.ParseException;
import io.longhaul.authorization.fetch.GuardedHttp;
import io.longhaul.authorization.fetch.ServerAwayException;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.transport.WellKnown;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Finds the metadata of a server as a protected resource, and the authorization servers that give tokens for it. */
public record Discovery(GuardedHttp http, URI server) {

    private static final String RESOURCE = "/.well-known/oauth-protected-resource";

    /**
     * The metadata of the server: clients "MUST use the resource metadata URL from the parsed `WWW-Authenticate`
     * headers when present; otherwise, they MUST fall back" to the well-known places.
     */
    public ProtectedResource resource(Challenge challenge) throws IOException {
        var named = challenge.resourceMetadata();
        if (named.isPresent()) {
            var at = uri(named.get());
            return resource(at, document(at).orElseThrow(() -> new IOException(at + " is no document.")));
        }
        for (var at : wellKnown(server)) {
            var document = document(at);
            if (document.isPresent()) {
                return resource(at, document.get());
            }
        }
        return ProtectedResource.legacy(server);
    }

    private static List<URI> wellKnown(URI server) {
        var places = new ArrayList<URI>();
        var origin = ProtectedResource.origin(server);
        var path = server.getRawPath();
        if (!path.isEmpty() && !path.equals("/")) {
            places.add(URI.create(origin + RESOURCE + path));
        }
        places.add(URI.create(origin + RESOURCE));
        return places;
    }

    private ProtectedResource resource(URI at, String document) throws IOException {
        JsonNode node;
        try {
            node = JsonTree.read(document.getBytes(StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new IOException(at + " is no JSON document.", e);
        }
        var resource = new ProtectedResource(
                uri(node.path("resource").asString("")),
                texts(node.path("authorization_servers")),
                texts(node.path("scopes_supported")),
                node.path("dpop_bound_access_tokens_required").asBoolean(false),
                false);
        if (!resource.covers(server)) {
            throw new IOException(at + " is about " + resource.resource() + ", and not about " + server + ".");
        }
        if (resource.issuers().isEmpty()) {
            throw new IOException(at + " names no authorization server.");
        }
        return resource;
    }

    private static List<String> texts(JsonNode array) {
        var texts = new ArrayList<String>();
        array.forEach(value -> texts.add(value.asString("")));
        texts.removeIf(String::isBlank);
        return texts;
    }

    /**
     * The metadata of an authorization server.
     *
     * @param legacy whether the server has no metadata of its own; its authorization server may then have none either
     */
    public AuthorizationServer authorizationServer(String issuer, boolean legacy) throws IOException {
        for (var at : WellKnown.ofIssuer(uri(issuer))) {
            var document = document(at);
            if (document.isPresent()) {
                return authorizationServer(issuer, at, document.get());
            }
        }
        if (legacy) {
            return AuthorizationServer.withoutMetadata(issuer);
        }
        throw new IOException("The authorization server " + issuer + " has no metadata.");
    }

    private static AuthorizationServer authorizationServer(String issuer, URI at, String document) throws IOException {
        try {
            return AuthorizationServer.read(issuer, document)
                    .orElseThrow(() -> new IOException(at + " is about another issuer than " + issuer
                            + ", and is not used: the two have to be identical."));
        } catch (ParseException | IllegalArgumentException e) {
            throw new IOException(at + " is no metadata of an authorization server: " + e.getMessage() + ".", e);
        }
    }

    /** The document at an address; empty where there is none. */
    private Optional<String> document(URI at) throws IOException {
        var response = http.get(at);
        if (response.status() == 200) {
            return Optional.of(response.body());
        }
        if (response.status() / 100 == 4 && response.status() != 429) {
            return Optional.empty();
        }
        throw new ServerAwayException(at + " answered HTTP " + response.status() + ": try again later.");
    }

    private static URI uri(String text) throws IOException {
        try {
            var uri = URI.create(text);
            if (uri.getHost() != null) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("The server names \"" + text + "\", which is no address.", e);
        }
        throw new IOException("The server names \"" + text + "\", which is no address.");
    }
}
