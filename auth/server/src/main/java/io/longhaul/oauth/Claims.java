// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;

/**
 * The requirements for the claims of a genuine token.
 *
 * @param audiences the audiences of this server, in one spelling; a token must name one of them
 * @param byClient  whether one user has tasks of its own in each client
 * @param leeway    the time by which the clocks of servers may differ
 */
record Claims(Set<String> audiences, boolean byClient, Duration leeway) {

    static final String EXPIRED = "The access token has expired: get a new one";
    static final String INVALID = "The access token is not valid here: get a new one";

    Claims {
        audiences = Set.copyOf(audiences);
    }

    /** "MCP servers MUST only accept tokens specifically intended for themselves." */
    boolean isForUs(Collection<String> named) {
        return named.stream().map(Addresses::canonical).anyMatch(audiences::contains);
    }

    boolean hasExpired(Instant expiry, Instant now) {
        return !now.isBefore(expiry.plus(leeway));
    }

    boolean isTooEarly(Instant notBefore, Instant now) {
        return now.plus(leeway).isBefore(notBefore);
    }
}
