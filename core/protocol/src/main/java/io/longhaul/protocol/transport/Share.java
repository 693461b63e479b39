// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The caller against whose part of a limit something counts: a principal, or the network of an anonymous caller. Shares
 * prevent one caller from using up a limit for all. They do not decide who owns a task.
 *
 * @param name the name of the principal, where the principal is known
 */
public record Share(String name) {

    /** The brackets around an address, and the zone of a link-local address. */
    private static final Pattern AROUND = Pattern.compile("[\\[\\]]|%.*");

    private static final int GROUPS = 8;
    private static final int GROUPS_OF_NETWORK = 4;

    /**
     * The share of a caller.
     *
     * @param address    the network address of the caller, where there is one
     * @param connection the lasting connection of the caller, where there is one
     */
    public static Share of(Principal principal, Optional<String> address, Optional<Connection> connection) {
        if (principal.kind() != Principal.Kind.ANONYMOUS) {
            return new Share(principal.name());
        }
        return new Share(address.map(Share::network)
                .or(() -> connection.map(Connection::id))
                .map(from -> principal.name() + " " + from)
                .orElse(principal.name()));
    }

    /** An IPv4 address as it is; of an IPv6 address the first 64 bits, which identify the network of one customer. */
    static String network(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        String text = AROUND.matcher(address).replaceAll("");
        if (text.indexOf('.') >= 0) {
            return text.substring(text.lastIndexOf(':') + 1);
        }
        int gap = text.indexOf("::");
        List<String> groups = groups(gap < 0 ? text : text.substring(0, gap));
        List<String> end = groups(gap < 0 ? "" : text.substring(gap + 2));
        groups.addAll(Collections.nCopies(Math.max(0, GROUPS - groups.size() - end.size()), "0"));
        groups.addAll(end);
        return String.join(":", groups.subList(0, Math.min(GROUPS_OF_NETWORK, groups.size()))) + "::/64";
    }

    private static List<String> groups(String text) {
        var groups = new ArrayList<String>();
        for (String group : text.split(":")) {
            if (!group.isEmpty()) {
                groups.add(group.toLowerCase(Locale.ROOT).replaceFirst("^0+(?=.)", ""));
            }
        }
        return groups;
    }
}
