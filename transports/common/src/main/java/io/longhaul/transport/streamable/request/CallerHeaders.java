// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable.request;

import io.longhaul.protocol.Require;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The headers of a request that handlers see. Immutable.
 *
 * @param names the names of the headers, as the deployer writes them
 */
public record CallerHeaders(Set<String> names) {

    /** Handlers see no header. */
    public static final CallerHeaders NONE = new CallerHeaders(Set.of());

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");
    private static final Set<String> CREDENTIALS =
            Set.of("authorization", "proxy-authorization", "cookie", "dpop", "mcp-session-id", "x-api-key");

    public CallerHeaders {
        names.forEach(CallerHeaders::check);
        names = Set.copyOf(names);
    }

    private static void check(String name) {
        Require.that(NAME.matcher(name).matches(), "A header is named like X-Tenant, not '" + name + "'");
        if (CREDENTIALS.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                    "The header " + name + " carries a credential, which no handler sees: name another one");
        }
    }

    /** These headers and more. */
    public CallerHeaders and(String... more) {
        var all = new LinkedHashSet<>(names);
        all.addAll(List.of(more));
        return new CallerHeaders(all);
    }

    public Map<String, String> of(Fields fields) {
        if (names.isEmpty()) {
            return Map.of();
        }
        Map<String, String> sent = new LinkedHashMap<>();
        names.forEach(name -> {
            var value = fields.single(name);
            if (value != null) {
                sent.put(name, value);
            }
        });
        return sent;
    }
}
