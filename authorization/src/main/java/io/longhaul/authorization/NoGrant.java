package io.longhaul.authorization;

import java.io.IOException;

/** Gets no tokens beyond those that were kept. */
record NoGrant() implements Grant {

    @Override
    public StoredTokens tokens(AuthorizationServer server, TokenEndpoint.Wanted wanted, Parts parts)
            throws IOException {
        throw new IOException("A person has to log in at " + server.issuer() + " before.");
    }
}
