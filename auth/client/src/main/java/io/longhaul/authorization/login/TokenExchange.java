// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.login;

import com.nimbusds.oauth2.sdk.token.TokenTypeURI;
import com.nimbusds.oauth2.sdk.token.TypelessToken;
import com.nimbusds.oauth2.sdk.tokenexchange.TokenExchangeGrant;
import io.longhaul.authorization.discovery.AuthorizationServer;
import io.longhaul.authorization.token.StoredTokens;
import io.longhaul.authorization.token.TokenEndpoint;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A client that acts in the name of a caller, whose access token it exchanges for one of another resource (RFC 8693).
 *
 * @param client by which the client authenticates itself
 * @param caller gives the access token of the caller; empty while there is none
 */
public record TokenExchange(ClientCredentials client, Supplier<Optional<String>> caller) implements Grant {

    @Override
    public StoredTokens tokens(AuthorizationServer server, TokenEndpoint.RequestedAccess wanted, Parts parts)
            throws IOException {
        var token = caller.get().orElseThrow(() -> new IOException("The caller has no token to exchange now."));
        var grant = new TokenExchangeGrant(
                new TypelessToken(token), TokenTypeURI.ACCESS_TOKEN, null, null, TokenTypeURI.ACCESS_TOKEN, null);
        return client.asked(server, grant, wanted, parts);
    }

    /** Shows no token. */
    @Override
    public String toString() {
        return "exchange of tokens";
    }
}
