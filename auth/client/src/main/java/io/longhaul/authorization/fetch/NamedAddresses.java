// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.fetch;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Decides which addresses that a server names may be requested, so that no server can have its client send requests
 * into the client's own network (SSRF). An address must have {@code https}, or be on this machine. An address must not
 * be nearer to the client than the server itself: a server on this machine may name any address, and a server in a
 * private network may name private and public addresses. Link-local addresses, such as the metadata services of clouds,
 * are never requested.
 *
 * <p>A host name whose address changes between this check and the connection (DNS rebinding) gains little: beyond this
 * machine, the connection is {@code https}, and needs a certificate for the name.
 *
 * @param server    the place of the server that names addresses
 * @param addresses finds the addresses of a host
 */
public record NamedAddresses(Place server, Lookup addresses) {

    /** How near an address is to the client, farthest first. */
    enum Place {
        PUBLIC,
        PRIVATE,
        MACHINE,
        NEVER
    }

    /** Finds the addresses of a host by its name. */
    interface Lookup {
        List<InetAddress> of(String host) throws UnknownHostException;
    }

    public static NamedAddresses by(URI server) throws UnusableAddressException {
        return by(server, host -> List.of(InetAddress.getAllByName(host)));
    }

    public static NamedAddresses by(URI server, Lookup addresses) throws UnusableAddressException {
        var places = places(server, addresses).toList();
        var farthest = places.stream().min(Place::compareTo).orElse(Place.PUBLIC);
        var rules = new NamedAddresses(farthest == Place.NEVER ? Place.PUBLIC : farthest, addresses);
        if (!server.getScheme().equalsIgnoreCase("https") && farthest != Place.MACHINE) {
            throw new UnusableAddressException(
                    "A token would go over the network in the clear to " + server + ": use its https address.");
        }
        return rules;
    }

    /**
     * Checks an address that a server has named.
     *
     * @return the address
     */
    public URI check(URI named) throws UnusableAddressException {
        var scheme = String.valueOf(named.getScheme()).toLowerCase(Locale.ROOT);
        if (named.getHost() == null || named.getRawUserInfo() != null || named.getRawFragment() != null) {
            throw new UnusableAddressException("The server names " + named + ", which is no address to ask.");
        }
        var nearest = places(named, addresses).max(Place::compareTo).orElse(Place.NEVER);
        if (!scheme.equals("https") && !(scheme.equals("http") && nearest == Place.MACHINE)) {
            throw new UnusableAddressException("The server names " + named + ", which is not https.");
        }
        if (nearest.compareTo(server) > 0) {
            throw new UnusableAddressException("The server names " + named
                    + ", an address that is nearer to this client than the server is, and that is not asked for it.");
        }
        return named;
    }

    private static Stream<Place> places(URI uri, Lookup addresses) throws UnusableAddressException {
        try {
            var host = String.valueOf(uri.getHost());
            return addresses.of(host).stream().map(NamedAddresses::place);
        } catch (UnknownHostException e) {
            throw new UnusableAddressException("The host of " + uri + " is unknown.");
        }
    }

    static Place place(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return Place.MACHINE;
        }
        if (address.isAnyLocalAddress() || address.isLinkLocalAddress() || address.isMulticastAddress()) {
            return Place.NEVER;
        }
        return address.isSiteLocalAddress() || isFurtherPrivate(address.getAddress()) ? Place.PRIVATE : Place.PUBLIC;
    }

    /**
     * Unique local addresses of IPv6 (RFC 4193), shared ones of providers (RFC 6598), and 0.0.0.0/8 ("this network").
     */
    private static boolean isFurtherPrivate(byte[] bytes) {
        int first = bytes[0] & 0xff;
        return bytes.length == 16 ? (first & 0xfe) == 0xfc : first == 0 || first == 100 && (bytes[1] & 0xc0) == 64;
    }
}
