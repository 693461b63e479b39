// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import io.longhaul.protocol.transport.Principal;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the name of a principal that an authorization has named.
 *
 * @param issuer  of the token; null for an API key, and for a user of a container
 * @param subject the user, or the name of the API key; null for a client without a user
 * @param client  null where the name of the principal does not say the client
 */
public record PrincipalName(
        @Nullable String issuer,
        @Nullable String subject,
        @Nullable String client) {

    private static final String KEY = "api-key";

    private static final Pattern OF_TOKEN =
            Pattern.compile("(https?://[^#]+)#(?:sub=([^&]*))?&?(?:client=([^&]*))?", Pattern.CASE_INSENSITIVE);

    public static PrincipalName ofKey(String name) {
        return new PrincipalName(null, name, null);
    }

    /** The parts of a name; empty for the local user and for anonymous callers. */
    public static Optional<PrincipalName> of(Principal principal) {
        if (principal.kind() != Principal.Kind.AUTHORIZED) {
            return Optional.empty();
        }
        var name = principal.name();
        var token = OF_TOKEN.matcher(name);
        if (token.matches()) {
            return Optional.of(new PrincipalName(token.group(1), decoded(token.group(2)), decoded(token.group(3))));
        }
        return Optional.of(ofKey(name.startsWith(KEY + "#") ? name.substring(KEY.length() + 1) : name));
    }

    /** The principal of an API key or a token. */
    public Principal principal() {
        var name = new StringBuilder(issuer == null ? KEY : issuer).append('#');
        if (issuer == null) {
            name.append(subject);
        } else {
            // The separators are encoded in the parts, so that no subject can be chosen to give the name of another
            // principal.
            name.append(subject == null ? "" : "sub=" + encoded(subject))
                    .append(subject == null || client == null ? "" : "&")
                    .append(client == null ? "" : "client=" + encoded(client));
        }
        return new Principal(name.toString(), Principal.Kind.AUTHORIZED);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static @Nullable String decoded(@Nullable String text) {
        return text == null ? null : URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
