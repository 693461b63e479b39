// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import java.net.URI;
import java.util.Locale;
import java.util.Set;

/** Checks the addresses of a configuration: "All authorization server endpoints MUST be served over HTTPS". Pure. */
final class Addresses {

    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

    private Addresses() {}

    /**
     * An address with https, or with http on this machine.
     *
     * @param what the beginning of the error sentence
     */
    static URI check(String what, URI address) {
        var scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
        var host = String.valueOf(address.getHost()).toLowerCase(Locale.ROOT);
        boolean isSafe = scheme.equals("https") || scheme.equals("http") && THIS_MACHINE.contains(host);
        if (!isSafe || address.getHost() == null) {
            throw new IllegalArgumentException(
                    what + " \"" + address + "\" must be an address with https, or with http on this machine");
        }
        if (address.getRawFragment() != null || address.getRawQuery() != null || address.getRawUserInfo() != null) {
            throw new IllegalArgumentException(what + " \"" + address + "\" must have no query, fragment or user");
        }
        return address;
    }

    static URI check(String what, String address) {
        try {
            return check(what, URI.create(address));
        } catch (IllegalArgumentException e) {
            throw e.getCause() == null
                    ? e
                    : new IllegalArgumentException(what + " \"" + address + "\" is no address", e);
        }
    }

    static String origin(URI address) {
        return address.getScheme() + "://" + address.getRawAuthority();
    }

    /** The path without a slash at its end; empty for the root. */
    static String path(URI address) {
        return String.valueOf(address.getRawPath()).replaceFirst("/$", "");
    }

    /**
     * One spelling for all addresses of a resource: "implementations SHOULD accept uppercase scheme and host
     * components", and a slash at the end has no meaning. A text that is no address stays as it is.
     */
    static String canonical(String resource) {
        try {
            var address = URI.create(resource);
            return address.getHost() == null
                    ? resource
                    : origin(address).toLowerCase(Locale.ROOT)
                            + path(address)
                            + (address.getRawQuery() == null ? "" : "?" + address.getRawQuery());
        } catch (IllegalArgumentException e) {
            return resource;
        }
    }
}
