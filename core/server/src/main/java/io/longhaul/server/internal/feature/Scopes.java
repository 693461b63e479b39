// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.feature;

import java.util.Set;
import java.util.regex.Pattern;

/** Checks the scopes that a caller needs for a tool, a resource or a prompt. */
public final class Scopes {

    /** "scope-token = 1*( %x21 / %x23-5B / %x5D-7E )" (RFC 6749, 3.3). */
    private static final Pattern TOKEN = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]+");

    private Scopes() {}

    /**
     * @param of the item that needs the scopes, for messages
     * @throws IllegalArgumentException where a text cannot be a scope
     */
    public static Set<String> checked(String of, String... needed) {
        for (var scope : needed) {
            if (!TOKEN.matcher(scope).matches()) {
                throw new IllegalArgumentException(of + ": \"" + scope
                        + "\" cannot be a scope: use visible ASCII without spaces, quotes and backslashes");
            }
        }
        return Set.of(needed);
    }
}
