// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.settings;

import io.longhaul.file.tree.Binder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An address of this machine for the operator's pages and metrics; by default the loopback address.
 *
 * @param host empty for the loopback address
 * @param port 0 for any free port
 */
public record PortAddress(Optional<String> host, int port) {
    /** Any free port of the loopback address. */
    public static final PortAddress FREE = new PortAddress(Optional.empty(), 0);

    /** What to write, for error messages. */
    public static final String ADVICE = "Write a port such as 9464, or an address and a port such as 0.0.0.0:9464";

    /** The written form of an address. */
    public static final Pattern FORM = Pattern.compile("(?:([\\w.-]+|\\[[0-9a-fA-F:.]+]):)?(\\d{1,5})");

    /** How an address is written in a file. */
    public static final Binder.Kind<PortAddress> KIND = Binder.Kind.ofText("a port", PortAddress::parse, ADVICE);

    private static final int MOST = 65_535;

    /** Reads {@code PORT} or {@code ADDRESS:PORT}; empty where the text is neither. */
    public static Optional<PortAddress> parse(String text) {
        var match = FORM.matcher(text);
        if (!match.matches() || Integer.parseInt(match.group(2)) > MOST) {
            return Optional.empty();
        }
        return Optional.of(new PortAddress(Optional.ofNullable(match.group(1)), Integer.parseInt(match.group(2))));
    }

    /** The address to listen on; unresolved where the host name does not exist. */
    public InetSocketAddress socket() {
        return host.map(name -> new InetSocketAddress(name, port))
                .orElseGet(() -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }
}
