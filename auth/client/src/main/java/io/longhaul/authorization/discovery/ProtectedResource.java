// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.discovery;

import java.net.URI;
import java.util.List;

/**
 * The metadata of a server as a protected resource (RFC 9728).
 *
 * @param resource the identifier for which tokens are requested
 * @param issuers  the issuers of the authorization servers, at least one
 * @param scopes   the scopes for basic use; none where the server does not say
 * @param bound    whether the server takes only tokens that are bound to a key
 * @param legacy   whether the server has no metadata, and is its own authorization server as in 2025-03-26
 */
public record ProtectedResource(
        URI resource, List<String> issuers, List<String> scopes, boolean bound, boolean legacy) {

    public ProtectedResource {
        issuers = List.copyOf(issuers);
        scopes = List.copyOf(scopes);
    }

    /** A server without metadata: "the authorization base URL is determined by discarding any existing path". */
    static ProtectedResource legacy(URI server) {
        return new ProtectedResource(server, List.of(origin(server)), List.of(), false, true);
    }

    public static String origin(URI uri) {
        return uri.getScheme() + "://" + uri.getRawAuthority();
    }

    /**
     * Whether the identifier stands for a server: the same place, and the same path or one above it. "If these values
     * are not identical, the data MUST NOT be used" (RFC 9728, 3.3); MCP has documents at the root that name the root.
     */
    boolean covers(URI server) {
        var own = path(resource);
        return resource.getFragment() == null
                && origin(resource).equalsIgnoreCase(origin(server))
                && (path(server).equals(own) || path(server).startsWith(own + "/"));
    }

    private static String path(URI uri) {
        var path = String.valueOf(uri.getRawPath());
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
