// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.longhaul.protocol.RandomText;
import io.longhaul.protocol.transport.Permit;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import java.net.URI;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The secret that a server prints for its operator. A bearer of the key is an operator: it sees the tasks of all
 * owners, may call every tool, and is otherwise the local user. The key has 256 random bits, and is never stored.
 * Immutable.
 */
public final class ConsoleKey {

    private static final int BYTES = 32;
    private static final String BEARER = "Bearer ";
    private static final int UNAUTHORIZED = 401;
    private static final Permit OPERATOR = new Permit(true, Set.of(Permit.OPERATOR), needed -> Optional.empty());

    private final String text;

    private ConsoleKey(String text) {
        this.text = text;
    }

    /** A new key. */
    public static ConsoleKey random(RandomGenerator random) {
        return new ConsoleKey(RandomText.of(random, BYTES));
    }

    /** A link to the page with the key in its fragment, which browsers never send to a server. */
    public URI link(URI page) {
        return page.resolve("#token=" + text);
    }

    /** Accepts only the bearer of the key. */
    public PrincipalResolver callers() {
        return callers(header -> new Resolution.Refused(
                UNAUTHORIZED, "Bearer", "The console wants its token: open the link that the server has printed"));
    }

    /** Accepts the bearer of the key, and the callers that {@code others} accepts. */
    public PrincipalResolver callers(PrincipalResolver others) {
        var operator = new Resolution.Granted(Principal.LOCAL, OPERATOR, null);
        return header ->
                header.apply("Authorization").filter(this::isKey).isPresent() ? operator : others.resolve(header);
    }

    /** Compares in constant time. */
    private boolean isKey(String authorization) {
        boolean isBearer = authorization.regionMatches(true, 0, BEARER, 0, BEARER.length());
        return isBearer
                && MessageDigest.isEqual(
                        authorization.substring(BEARER.length()).strip().getBytes(UTF_8), text.getBytes(UTF_8));
    }

    /** Does not reveal the key. */
    @Override
    public String toString() {
        return "the key of a console";
    }
}
