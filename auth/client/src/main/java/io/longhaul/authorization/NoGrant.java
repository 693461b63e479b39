// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import java.io.IOException;

/** Gets no new tokens: only kept tokens are used. */
record NoGrant() implements Grant {

    @Override
    public boolean isThere() {
        return false;
    }

    @Override
    public StoredTokens tokens(AuthorizationServer server, TokenEndpoint.Wanted wanted, Parts parts)
            throws IOException {
        throw new IOException("The login at " + server.issuer() + " is over, or not enough for this: log in again.");
    }
}
