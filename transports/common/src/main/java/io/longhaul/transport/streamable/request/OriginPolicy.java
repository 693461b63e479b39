// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable.request;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The hosts and origins that a server accepts, as a protection against DNS rebinding. Immutable.
 *
 * @param loopback   whether only names of this machine are hosts, and pages of this machine may call
 * @param hosts      further hosts, in lower case, without a port. Where none is named and the address is not a loopback
 *                   address, any host is accepted, since the names of this server are unknown
 * @param origins    further origins, in lower case, such as {@code https://app.example.com}
 * @param sameOrigin whether pages of the requested host and port may call. That includes a page whose name was rebound
 *                   to this server: set this only where callers show a secret that such a page does not have
 */
public record OriginPolicy(boolean loopback, Set<String> hosts, Set<String> origins, boolean sameOrigin) {

    private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Pattern NAME = Pattern.compile("\\[[0-9a-f:.]+]|[a-z0-9._-]+");
    private static final Pattern ORIGIN = Pattern.compile("[a-z][a-z0-9+.-]*://([^/\\s*?#@]+)");
    private static final int MAX_PORT = 65_535;
    private static final int PORT_DIGITS = 5;

    public OriginPolicy {
        hosts = Set.copyOf(hosts);
        origins = Set.copyOf(origins);
    }

    /** Whether a {@code Host} header is accepted; each request must have one. */
    public boolean allowsHost(@Nullable String host) {
        if (host == null) {
            return false;
        }
        if (!loopback && hosts.isEmpty()) {
            return true;
        }
        var name = nameOf(host.toLowerCase(Locale.ROOT));
        return name != null && isKnown(name);
    }

    /**
     * Whether an {@code Origin} header is accepted; requests without it come from no page.
     *
     * @param host the {@code Host} header of the request, which was accepted
     */
    boolean allowsOrigin(String origin, String host) {
        var lower = origin.toLowerCase(Locale.ROOT);
        if (origins.contains(lower)) {
            return true;
        }
        var authority = lower.startsWith("http://")
                ? lower.substring("http://".length())
                : lower.startsWith("https://") ? lower.substring("https://".length()) : null;
        var name = authority == null ? null : nameOf(authority);
        return name != null && (isKnown(name) || sameOrigin && isName(name) && isOf(host, authority));
    }

    /**
     * The normal form of an origin: as browsers send it, in lower case.
     *
     * @throws IllegalArgumentException where the text is not an origin
     */
    public static String origin(String given) {
        var lower = given.toLowerCase(Locale.ROOT);
        if (!ORIGIN.matcher(lower).matches()) {
            throw new IllegalArgumentException("An origin is a scheme, a host and perhaps a port, such as"
                    + " https://app.example.com, without a path or a wildcard: not '" + given + "'");
        }
        return lower;
    }

    /**
     * The name of a host, in lower case.
     *
     * @throws IllegalArgumentException where the text is not a host
     */
    public static String host(String given) {
        var lower = given.toLowerCase(Locale.ROOT);
        if (!isName(lower)) {
            throw new IllegalArgumentException("A host is a name or an address, such as tasks.example.com or [::1],"
                    + " without a scheme, a port or a wildcard: not '" + given + "'");
        }
        return lower;
    }

    private static boolean isOf(String host, String authority) {
        return authority.equals(host.toLowerCase(Locale.ROOT));
    }

    private static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    private boolean isKnown(String name) {
        return loopback && LOOPBACK_NAMES.contains(name) || hosts.contains(name);
    }

    /** The part before the port, whether or not it is a host name; null where the port is invalid. */
    private static @Nullable String nameOf(String authority) {
        int colon = authority.lastIndexOf(':');
        if (colon <= authority.lastIndexOf(']')) {
            return authority;
        }
        return isPort(authority.substring(colon + 1)) ? authority.substring(0, colon) : null;
    }

    private static boolean isPort(String text) {
        int port = text.isEmpty() || text.length() > PORT_DIGITS ? -1 : 0;
        for (int i = 0; i < text.length() && port >= 0; i++) {
            int digit = text.charAt(i) - '0';
            port = digit >= 0 && digit <= 9 ? 10 * port + digit : -1;
        }
        return port >= 0 && port <= MAX_PORT;
    }
}
