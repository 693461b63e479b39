// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import io.longhaul.protocol.transport.Permit;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution.Granted;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution.Refused;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.core.OAuth2Token;

/**
 * Callers that Spring Security has authenticated: named by their user, with the authorities {@code SCOPE_x} as scopes
 * {@code x}.
 *
 * @param required whether callers who are not authenticated are refused
 * @param bearer   whether the OAuth 2 classes are present, so that callers may have bearer tokens, which expire
 */
record SecurityCallers(boolean required, boolean bearer) implements ServletCallers {

    private static final String SCOPE = "SCOPE_";
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    @Override
    public Resolution apply(HttpServletRequest request) {
        if (!(request.getUserPrincipal() instanceof Authentication user)) {
            return required
                    ? new Refused(UNAUTHORIZED, Map.of(), "Only callers who are logged in are served: log in")
                    : new Granted(Principal.ANONYMOUS);
        }
        var principal = Principal.named(user.getName());
        if (principal.kind() != Principal.Kind.AUTHORIZED) {
            return new Refused(
                    FORBIDDEN, Map.of(), "No user can be named '" + principal.name() + "' here: log in as another one");
        }
        var scopes = user.getAuthorities().stream()
                .map(GrantedAuthority::getAuthority)
                .filter(authority -> authority != null && authority.startsWith(SCOPE))
                .map(authority -> authority.substring(SCOPE.length()))
                .collect(Collectors.toUnmodifiableSet());
        return new Granted(principal, Permit.of(scopes, challenge(user)), bearer ? Bearer.until(user) : null);
    }

    /** The challenge to a client that needs more scopes: only a client with a token can request another one. */
    private Function<Collection<String>, Optional<String>> challenge(Authentication user) {
        return bearer && Bearer.isBearer(user)
                ? needed ->
                        Optional.of("Bearer error=\"insufficient_scope\", scope=\"" + String.join(" ", needed) + "\"")
                : needed -> Optional.empty();
    }

    /** Reads tokens; used only if the classes of OAuth 2 are present. */
    private static final class Bearer {

        static boolean isBearer(Authentication user) {
            return user.getCredentials() instanceof OAuth2Token;
        }

        static @Nullable Long until(Authentication user) {
            return user.getCredentials() instanceof OAuth2Token token && token.getExpiresAt() != null
                    ? System.nanoTime()
                            + Duration.between(Instant.now(), token.getExpiresAt())
                                    .toNanos()
                    : null;
        }
    }
}
