// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.token;

import io.longhaul.authorization.discovery.ScopeChoice;
import io.longhaul.authorization.proof.ProofKey;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The tokens for one server.
 *
 * @param access  the access token
 * @param refresh the refresh token, or null where there is none
 * @param expiry  when the access token expires, or null where that is unknown
 * @param issuer  of the authorization server that gave the tokens; only that server gets the refresh token
 * @param wanted  the resource of the tokens, and all scopes that were requested or given so far
 * @param holder  to whom the tokens were given
 */
public record StoredTokens(
        String access,
        @Nullable String refresh,
        @Nullable Instant expiry,
        String issuer,
        TokenEndpoint.RequestedAccess wanted,
        Holder holder) {

    /**
     * The one who can use the tokens.
     *
     * @param client to which the refresh token was issued; null where there is none, or in texts of earlier versions
     * @param key    the key to which the tokens are bound, or null for bearer tokens
     */
    public record Holder(
            @Nullable RegisteredClient client, @Nullable ProofKey key) {}

    /** A text member of a response; null where it is missing or blank: some servers write "" in place of nothing. */
    public static @Nullable String given(JsonNode response, String name) {
        var text = response.path(name).asString("");
        return text.isBlank() ? null : text;
    }

    /** Reads a text of {@link #text}; empty where the text has another form, such as after a change of the format. */
    public static Optional<StoredTokens> parse(String text) {
        try {
            var node = JsonTree.read(Json.raw(text));
            var expiry = node.path("expiry").asString("");
            var client = RegisteredClient.parse(node.path("client").asString(""));
            var key = node.path("key").asString("");
            var scopes = ScopeChoice.read(node.path("scopes").asString(""));
            return Optional.of(new StoredTokens(
                    node.required("access").stringValue(),
                    given(node, "refresh"),
                    expiry.isEmpty() ? null : Instant.parse(expiry),
                    node.required("issuer").stringValue(),
                    new TokenEndpoint.RequestedAccess(
                            URI.create(node.required("resource").stringValue()), scopes),
                    new Holder(client.orElse(null), key.isEmpty() ? null : ProofKey.parse(key))));
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    public String text() {
        var node = JsonTree.object();
        node.put("access", access);
        node.put("refresh", refresh);
        node.put("expiry", expiry == null ? "" : expiry.toString());
        node.put("issuer", issuer);
        node.put("scopes", String.join(" ", wanted.scopes()));
        node.put("resource", wanted.resource().toString());
        if (holder.client() != null) {
            node.put("client", holder.client().text());
        }
        if (holder.key() != null) {
            node.put("key", holder.key().text());
        }
        return JsonTree.write(node).toString();
    }

    /** These tokens from a refresh, completed with the values that the response left out. */
    public StoredTokens after(StoredTokens before) {
        return new StoredTokens(
                access, refresh == null ? before.refresh : refresh, expiry, issuer, before.wanted, holder);
    }

    public StoredTokens withoutRefresh() {
        return new StoredTokens(access, null, expiry, issuer, wanted, new Holder(null, key()));
    }

    @Nullable
    public ProofKey key() {
        return holder.key();
    }

    /** The header of each request: a bound token has a scheme of its own (RFC 9449, 7.1). */
    public String authorization() {
        return (key() == null ? "Bearer " : "DPoP ") + access;
    }

    public boolean isExpired(Instant now) {
        return expiry != null && !now.isBefore(expiry);
    }

    /** Does not show tokens. */
    @Override
    public String toString() {
        return "tokens of " + issuer + " for " + wanted.scopes();
    }
}
