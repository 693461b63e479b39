// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import com.nimbusds.oauth2.sdk.GrantType;
import com.nimbusds.oauth2.sdk.JWTBearerGrant;
import com.nimbusds.oauth2.sdk.ParseException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What somebody else says of a person or a workload, and has signed: a secret, which is kept nowhere.
 *
 * @param text a JWT, or for a person also another token of a login
 */
record Assertion(String text) {

    /** Gets an assertion from the host, which may throw anything. */
    static Assertion of(Supplier<String> host) throws IOException {
        try {
            return new Assertion(host.get().strip());
        } catch (RuntimeException e) {
            throw new IOException("The host gave no token to be authorized with: " + e.getMessage(), e);
        }
    }

    /** An authorization server that says what it takes, and does not say this, is shown no assertion. */
    static void checkTaken(AuthorizationServer server) throws IOException {
        var grants = server.metadata().getGrantTypes();
        if (grants != null && !grants.contains(GrantType.JWT_BEARER)) {
            throw new IOException("The authorization server " + server.issuer() + " takes no assertions.");
        }
    }

    /** Shows the assertion in place of a login (RFC 7523, 2.1). */
    JWTBearerGrant grant() throws IOException {
        try {
            var parameters = Map.of("grant_type", List.of(GrantType.JWT_BEARER.getValue()), "assertion", List.of(text));
            return JWTBearerGrant.parse(parameters);
        } catch (ParseException e) {
            throw new IOException("The token to be authorized with is no JWT.", e);
        }
    }

    /** Shows nothing. */
    @Override
    public String toString() {
        return "assertion";
    }
}
