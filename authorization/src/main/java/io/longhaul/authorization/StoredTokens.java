package io.longhaul.authorization;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tokens for one server.
 *
 * @param access  the access token
 * @param refresh the refresh token, or null where there is none
 * @param expiry  when the access token expires, or null where that is unknown
 * @param issuer  of the authorization server that gave them, and that alone is shown the refresh token
 * @param scopes  that were asked for, so far
 * @param resource for which they are good
 */
record StoredTokens(
        String access,
        @Nullable String refresh,
        @Nullable Instant expiry,
        String issuer,
        List<String> scopes,
        URI resource) {

    StoredTokens {
        scopes = List.copyOf(scopes);
    }

    /** Read from a text of {@link #text}; empty where it is none, as after a change of the format. */
    static Optional<StoredTokens> parse(String text) {
        try {
            var node = JsonTree.read(Json.raw(text));
            var expiry = node.path("expiry").asString("");
            return Optional.of(new StoredTokens(
                    node.required("access").stringValue(),
                    node.path("refresh").asString(null),
                    expiry.isEmpty() ? null : Instant.parse(expiry),
                    node.required("issuer").stringValue(),
                    Scopes.read(node.path("scopes").asString("")),
                    URI.create(node.required("resource").stringValue())));
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    String text() {
        var node = JsonTree.object();
        node.put("access", access);
        node.put("refresh", refresh);
        node.put("expiry", expiry == null ? "" : expiry.toString());
        node.put("issuer", issuer);
        node.put("scopes", String.join(" ", scopes));
        node.put("resource", resource.toString());
        return JsonTree.write(node).toString();
    }

    /** The same tokens, with what an answer to a refresh leaves out. */
    StoredTokens after(StoredTokens before) {
        return new StoredTokens(
                access, refresh == null ? before.refresh : refresh, expiry, issuer, before.scopes, resource);
    }

    StoredTokens withoutRefresh() {
        return new StoredTokens(access, null, expiry, issuer, scopes, resource);
    }

    boolean isExpired(Instant now) {
        return expiry != null && !now.isBefore(expiry);
    }

    /** Does not show tokens. */
    @Override
    public String toString() {
        return "tokens of " + issuer + " for " + scopes;
    }
}
