// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import io.longhaul.protocol.call.PrincipalName;
import io.longhaul.protocol.transport.Principal;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The principal and the scopes that a token or a key stands for.
 *
 * @param principal the principal of the token
 * @param scopes    the granted scopes
 * @param expiry    null for never
 */
record Entitlement(
        Principal principal, Set<String> scopes, @Nullable Instant expiry) {

    /** "scope-token = 1*( %x21 / %x23-5B / %x5D-7E )" (RFC 6749, 3.3): any other name in a token cannot be granted. */
    private static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,200}");

    Entitlement {
        scopes = scopes.stream().filter(Entitlement::isScope).collect(Collectors.toUnmodifiableSet());
    }

    static boolean isScope(String text) {
        return SCOPE.matcher(text).matches();
    }

    static Set<String> scopes(String text) {
        return Set.copyOf(Pattern.compile(" +").splitAsStream(text).toList());
    }

    /**
     * The principal of a token: the user at the issuer, or the client where the token has no user.
     *
     * @param subject  null for none; a subject equal to the client is no user (RFC 9068, 2.2)
     * @param client   null for none
     * @param byClient whether one user has tasks of its own in each client
     * @return null where the token is about neither
     */
    static @Nullable Principal principal(
            String issuer, @Nullable String subject, @Nullable String client, boolean byClient) {
        boolean hasUser = subject != null && !subject.isEmpty() && !subject.equals(client);
        boolean hasClient = client != null && !client.isEmpty();
        if (!hasUser && !hasClient || byClient && !hasClient) {
            return null;
        }
        return new PrincipalName(issuer, hasUser ? subject : null, byClient || !hasUser ? client : null).principal();
    }

    /** The scopes in the form of a header. */
    static String text(Collection<String> scopes) {
        return scopes.stream().sorted().collect(Collectors.joining(" "));
    }
}
