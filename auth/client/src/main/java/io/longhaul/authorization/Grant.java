// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import java.io.IOException;
import java.util.Set;

/** The way in which a client gets tokens when it has no usable ones. */
interface Grant {

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
    StoredTokens tokens(AuthorizationServer server, TokenEndpoint.Wanted wanted, Parts parts)
            throws IOException, InterruptedException;
}
