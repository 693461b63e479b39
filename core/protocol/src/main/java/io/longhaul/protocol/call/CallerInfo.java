// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import io.longhaul.protocol.transport.Principal;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a tool, a resource or a prompt, as a handler sees it. For a task this is the caller that created the
 * task, also after a restart. Immutable.
 *
 * @param principal     on whose behalf the call is made; a task belongs to this principal
 * @param scopes        the scopes that the authorization of the call grants, with all implied scopes; none where the
 *                      server uses no scopes
 * @param clientName    the name that the client gave, cut to 200 characters, or null; do not trust it
 * @param clientVersion the version that the client gave, likewise
 * @param headers       the headers of the HTTP request that the deployer lets through, by the names that the deployer
 *                      configured; none over stdio. A caller can write anything into a header, unless a proxy
 *                      overwrites it
 */
public record CallerInfo(
        Principal principal,
        Set<String> scopes,
        @Nullable String clientName,
        @Nullable String clientVersion,
        Map<String, String> headers) {

    /** The names of the {@link #values} that a caller can have. */
    public static final Set<String> VALUES =
            Set.of("caller.subject", "caller.issuer", "caller.client", "caller.scopes");

    private static final int LONGEST = 200;

    public CallerInfo {
        scopes = Set.copyOf(scopes);
        headers = Map.copyOf(headers);
        clientName = cut(clientName);
        clientVersion = cut(clientVersion);
    }

    /**
     * What an authorization says of the caller, for templates, by the names of {@link #VALUES}: without those that it
     * does not say, so that a caller without an authorization has none.
     */
    public Map<String, String> values() {
        var values = new HashMap<String, String>();
        PrincipalName.of(principal).ifPresent(name -> {
            put(values, "caller.subject", name.subject());
            put(values, "caller.issuer", name.issuer());
            put(values, "caller.client", name.client());
            values.put("caller.scopes", scopes.stream().sorted().collect(Collectors.joining(" ")));
        });
        return values;
    }

    private static void put(Map<String, String> values, String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            values.put(name, value);
        }
    }

    private static @Nullable String cut(@Nullable String text) {
        return text == null || text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }
}
