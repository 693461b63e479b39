// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.login;

import io.longhaul.authorization.discovery.AuthorizationServer;
import io.longhaul.authorization.fetch.GuardedHttp;
import io.longhaul.authorization.registration.ClientRegistrations;
import io.longhaul.authorization.token.StoredTokens;
import io.longhaul.authorization.token.TokenEndpoint;
import java.io.IOException;
import java.util.Set;

/** The way in which a client gets tokens when it has no usable ones. */
public interface Grant {

    /**
     * The services that a grant uses.
     *
     * @param http HTTP under the rules for addresses that the server names
     */
    record Parts(GuardedHttp http, ClientRegistrations registrations, TokenEndpoint endpoint) {}

    /** Whether this grant can get tokens at all. */
    default boolean isThere() {
        return true;
    }

    /** The protocol extension of this grant, which a client declares; empty where the grant needs no extension. */
    default Set<String> extensions() {
        return Set.of();
    }

    /** Gets tokens. Blocks, where a person is asked, for as long as the person takes. */
    StoredTokens tokens(AuthorizationServer server, TokenEndpoint.RequestedAccess wanted, Parts parts)
            throws IOException, InterruptedException;
}
