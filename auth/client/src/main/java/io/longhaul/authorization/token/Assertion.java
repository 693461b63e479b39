// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.token;

import com.nimbusds.oauth2.sdk.GrantType;
import com.nimbusds.oauth2.sdk.JWTBearerGrant;
import com.nimbusds.oauth2.sdk.ParseException;
import io.longhaul.authorization.discovery.AuthorizationServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A signed statement of a third party about a person or a workload. An assertion is a secret, and is never stored.
 *
 * @param text a JWT; for a person also another token from a login
 */
public record Assertion(String text) {

    /** Gets an assertion from the host, which may throw anything. */
    public static Assertion of(Supplier<String> host) throws IOException {
        try {
            return new Assertion(host.get().strip());
        } catch (RuntimeException e) {
            throw new IOException("The host gave no token to be authorized with: " + e.getMessage(), e);
        }
    }

    /** Checks that the server's metadata list this grant, where they list any: no other server gets an assertion. */
    public static void checkTaken(AuthorizationServer server) throws IOException {
        var grants = server.metadata().getGrantTypes();
        if (grants != null && !grants.contains(GrantType.JWT_BEARER)) {
            throw new IOException("The authorization server " + server.issuer() + " takes no assertions.");
        }
    }

    /** The grant that sends the assertion in place of a login (RFC 7523, 2.1). */
    public JWTBearerGrant grant() throws IOException {
        try {
            var parameters = Map.of("grant_type", List.of(GrantType.JWT_BEARER.getValue()), "assertion", List.of(text));
            return JWTBearerGrant.parse(parameters);
        } catch (ParseException e) {
            throw new IOException("The token to be authorized with is no JWT.", e);
        }
    }

    /** Does not show the assertion. */
    @Override
    public String toString() {
        return "assertion";
    }
}
