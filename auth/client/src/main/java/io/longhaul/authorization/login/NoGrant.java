// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.login;

import io.longhaul.authorization.discovery.AuthorizationServer;
import io.longhaul.authorization.token.StoredTokens;
import io.longhaul.authorization.token.TokenEndpoint;
import java.io.IOException;

/** Gets no new tokens: only kept tokens are used. */
public record NoGrant() implements Grant {

    @Override
    public boolean isThere() {
        return false;
    }

    @Override
    public StoredTokens tokens(AuthorizationServer server, TokenEndpoint.RequestedAccess wanted, Parts parts)
            throws IOException {
        throw new IOException("The login at " + server.issuer() + " is over, or not enough for this: log in again.");
    }
}
