// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import io.longhaul.protocol.transport.Permit;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution.Granted;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution.Refused;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the callers that the container has authenticated, by their names in the container.
 *
 * @param scopes   returns the scopes of a request, or null where the container's callers need no scopes
 * @param required whether callers that the container has not authenticated are refused
 * @param nobody   the principal of unauthenticated callers, where they are not refused
 */
record ContainerCallers(@Nullable Function<HttpServletRequest, Set<String>> scopes, boolean required, Principal nobody)
        implements Function<HttpServletRequest, Resolution> {

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    @Override
    public Resolution apply(HttpServletRequest request) {
        var user = request.getUserPrincipal();
        if (user == null) {
            return required
                    ? new Refused(UNAUTHORIZED, Map.of(), "Only callers who are logged in are served: log in")
                    : new Granted(nobody);
        }
        var principal = Principal.named(user.getName());
        if (principal.kind() != Principal.Kind.AUTHORIZED) {
            return new Refused(
                    FORBIDDEN, Map.of(), "No user can be named '" + principal.name() + "' here: log in as another one");
        }
        return scopes == null
                ? new Granted(principal)
                : new Granted(principal, Permit.of(scopes.apply(request), needed -> Optional.empty()), null);
    }
}
