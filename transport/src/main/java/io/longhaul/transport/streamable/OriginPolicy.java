// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which hosts may be asked for, and which pages may ask, so that a page whose name was rebound to this machine reaches
 * nothing. Immutable.
 *
 * @param loopback   whether only names of this machine are hosts, and pages of this machine may ask
 * @param hosts      further hosts, in lower case, without a port; where none is named and the address is no loopback
 *                   address, any host may be asked for, since the names of this server cannot be known
 * @param origins    further origins, in lower case, such as {@code https://app.example.com}
 * @param sameOrigin whether pages of the host and port that are asked for may ask. A page whose name was rebound to
 *                   this server is one of them: say so only where a caller shows what such a page has not
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

    /** Decides about a {@code Host} header, which each request has. */
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
     * Decides about an {@code Origin} header; requests without one come from no page.
     *
     * @param host the {@code Host} header of the request, which is allowed
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
     * An origin as browsers send it, in lower case.
     *
     * @throws IllegalArgumentException where it is none
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
     * @throws IllegalArgumentException where it is none
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

    /** What stands before the port, be it a name of a host or not; null where the port is none. */
    private static @Nullable String nameOf(String authority) {
        int colon = authority.lastIndexOf(':');
        if (colon <= authority.lastIndexOf(']')) {
            return authority;
        }
        return isPort(authority.substring(colon + 1)) ? authority.substring(0, colon) : null;
    }

    private static boolean isPort(String text) {
        return !text.isEmpty()
                && text.length() <= PORT_DIGITS
                && text.chars().allMatch(c -> c >= '0' && c <= '9')
                && Integer.parseInt(text) <= MAX_PORT;
    }
}
