// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.discovery;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Stream;

/** Decides which scopes to request for a token. Pure. */
public final class ScopeChoice {

    private static final String OFFLINE = "offline_access";

    private ScopeChoice() {}

    public static List<String> read(String text) {
        return Stream.of(text.split(" ")).filter(scope -> !scope.isEmpty()).toList();
    }

    /**
     * The scopes for a first token: "Use `scope` parameter from the initial `WWW-Authenticate` header", else "all
     * scopes defined in `scopes_supported`", none where that is undefined. Scopes of the host replace the latter.
     */
    public static List<String> first(List<String> challenged, List<String> host, List<String> supported) {
        if (!host.isEmpty()) {
            return union(host, challenged);
        }
        return challenged.isEmpty() ? union(supported, List.of()) : union(challenged, List.of());
    }

    /**
     * The scopes for a further token: "the union of the client's previously requested scope set and the scopes from the
     * current challenge", with the scopes that were given unasked ("any previously granted scopes").
     */
    public static List<String> further(List<String> before, List<String> challenged) {
        return union(before, challenged);
    }

    /**
     * Adds the scope for a refresh token where the authorization server has it: "MAY add `offline_access`". An empty
     * list stays empty, because it stands for the scopes that the server grants by default.
     */
    public static List<String> offline(List<String> scopes, Collection<String> ofServer) {
        return scopes.isEmpty() || !ofServer.contains(OFFLINE) ? scopes : union(scopes, List.of(OFFLINE));
    }

    private static List<String> union(List<String> one, List<String> other) {
        var all = new LinkedHashSet<>(one);
        all.addAll(other);
        return new ArrayList<>(all);
    }
}
