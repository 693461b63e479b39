// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.util.Set;
import java.util.regex.Pattern;

/** The scopes that a caller needs for something that a server offers. */
final class Scopes {

    /** "scope-token = 1*( %x21 / %x23-5B / %x5D-7E )" (RFC 6749, 3.3). */
    private static final Pattern TOKEN = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]+");

    private Scopes() {}

    /**
     * @param of what needs them, for messages
     * @throws IllegalArgumentException where one cannot be a scope
     */
    static Set<String> checked(String of, String... needed) {
        for (var scope : needed) {
            if (!TOKEN.matcher(scope).matches()) {
                throw new IllegalArgumentException(of + ": \"" + scope
                        + "\" cannot be a scope: use visible ASCII without spaces, quotes and backslashes");
            }
        }
        return Set.of(needed);
    }
}
