// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.Guard;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.call.PrincipalName;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The access tokens by which a server has admitted its callers, for an exchange at an authorization server. They are
 * in memory alone: the newest one of each principal with the same scopes, until it expires, of 10,000 callers at most.
 * API keys are no such tokens. Thread-safe.
 */
public final class CallerTokens {

    private static final int MOST = 10_000;
    private static final Duration UNKNOWN_LIFE = Duration.ofMinutes(10);
    private static final String BEARER = "bearer ";

    private final Guard guard = new Guard();
    private volatile boolean isWanted;

    /** Read and written under the guard. */
    private final BoundedMap<Caller, Token> tokens = BoundedMap.byUse(MOST);

    /** A token must not act for a task that was created with other scopes. */
    private record Caller(Principal principal, Set<String> scopes) {}

    /** @param until by {@link System#nanoTime} */
    private record Token(String text, long until) {
        boolean isOver() {
            return System.nanoTime() - until >= 0;
        }

        /** Does not show the token. */
        @Override
        public String toString() {
            return "token";
        }
    }

    /** Remembers tokens from now on; before, none is remembered. */
    public void begin() {
        isWanted = true;
    }

    /** A resolver that decides as another one does, and whose granted tokens are remembered. */
    public PrincipalResolver heard(PrincipalResolver by) {
        return new PrincipalResolver() {
            @Override
            public Resolution resolve(Function<String, Optional<String>> header) {
                var resolution = by.resolve(header);
                if (isWanted && resolution instanceof Resolution.Granted granted) {
                    header.apply("Authorization").ifPresent(text -> hear(granted, text));
                }
                return resolution;
            }

            @Override
            public Map<String, Json> documents() {
                return by.documents();
            }
        };
    }

    private void hear(PrincipalResolver.Resolution.Granted granted, String authorization) {
        boolean isToken = PrincipalName.of(granted.principal())
                .filter(name -> name.issuer() != null)
                .isPresent();
        if (isToken && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            var until = granted.until();
            long end = until == null ? System.nanoTime() + UNKNOWN_LIFE.toNanos() : until;
            var token = new Token(authorization.substring(BEARER.length()).strip(), end);
            guard.run(() ->
                    tokens.put(new Caller(granted.principal(), granted.permit().scopes()), token));
        }
    }

    /** The newest token of a caller; empty where the caller has sent none that is valid now. */
    Optional<String> of(CallerInfo caller) {
        return guard.get(() -> {
            var key = new Caller(caller.principal(), caller.scopes());
            var token = Optional.ofNullable(tokens.get(key));
            if (token.filter(Token::isOver).isPresent()) {
                tokens.remove(key);
                return Optional.empty();
            }
            return token.map(Token::text);
        });
    }
}
