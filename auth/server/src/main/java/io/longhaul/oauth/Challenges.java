// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import java.net.URI;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values of {@code WWW-Authenticate}.
 *
 * @param metadata the address of the metadata that name the authorization servers, or null where there are only API
 *     keys
 * @param scopes   that each message needs
 */
record Challenges(@Nullable URI metadata, Set<String> scopes) {

    Challenges {
        scopes = Set.copyOf(scopes);
    }

    /** "If the request lacks any authentication information", the challenge names no error (RFC 6750, 3.1). */
    String missing() {
        return challenge(null, null, scopes);
    }

    String malformed(String why) {
        return challenge("invalid_request", why, Set.of());
    }

    String invalid(String why) {
        return challenge("invalid_token", why, scopes);
    }

    /**
     * Names all scopes that a message needs, and the scopes that its token has: clients of 2025-11-25 request only the
     * named scopes, and would lose the others.
     */
    String insufficient(Collection<String> needed, Collection<String> granted) {
        var all = new LinkedHashSet<>(scopes);
        all.addAll(needed);
        all.addAll(granted);
        // "MCP Servers SHOULD NOT include `offline_access`": refresh tokens are not of the resource.
        all.remove("offline_access");
        return challenge("insufficient_scope", null, all);
    }

    private String challenge(@Nullable String error, @Nullable String description, Collection<String> named) {
        var text = new StringBuilder("Bearer");
        add(text, "error", error);
        add(text, "error_description", description);
        add(text, "scope", named.isEmpty() ? null : Entitlement.text(named));
        add(text, "resource_metadata", metadata == null ? null : metadata.toString());
        return text.toString();
    }

    private static void add(StringBuilder text, String name, @Nullable String value) {
        if (value != null) {
            text.append(text.indexOf(" ") < 0 ? " " : ", ").append(name).append("=\"");
            text.append(value).append('"');
        }
    }
}
