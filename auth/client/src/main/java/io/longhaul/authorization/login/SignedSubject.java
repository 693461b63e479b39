// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.login;

import io.longhaul.authorization.discovery.AuthorizationServer;
import io.longhaul.authorization.token.Assertion;
import io.longhaul.authorization.token.StoredTokens;
import io.longhaul.authorization.token.TokenEndpoint;
import java.io.IOException;

/**
 * A client that acts in the name of a user, whom its own signed assertion names (RFC 7523, 2.1).
 *
 * @param client  with the key that signs
 * @param subject the user
 */
public record SignedSubject(ClientCredentials client, String subject) implements Grant {

    @Override
    public StoredTokens tokens(AuthorizationServer server, TokenEndpoint.RequestedAccess wanted, Parts parts)
            throws IOException {
        Assertion.checkTaken(server);
        return client.asked(server, client.assertion(server, subject).grant(), wanted, parts);
    }
}
