// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import java.io.IOException;
import java.util.Set;

/** How a client comes to tokens when it has none, or none that helps. */
interface Grant {

    /**
     * What a grant is made with.
     *
     * @param http under the rules for addresses that the server names
     */
    record Parts(GuardedHttp http, ClientRegistrations registrations, TokenEndpoint endpoint) {}

    /** Whether there is a way to tokens at all. */
    default boolean isThere() {
        return true;
    }

    /** The extension of the protocol that this is, which a client declares; empty for what needs no extension. */
    default Set<String> extensions() {
        return Set.of();
    }

    /** Gets tokens. Blocks, as long as a person takes where one is asked. */
    StoredTokens tokens(AuthorizationServer server, TokenEndpoint.Wanted wanted, Parts parts)
            throws IOException, InterruptedException;
}
