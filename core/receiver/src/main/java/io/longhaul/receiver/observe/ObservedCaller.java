// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.observe;

import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.Principal;
import org.jspecify.annotations.Nullable;

/**
 * The caller for whom something happened. Its texts may come from strangers.
 *
 * @param principal  null where access was denied before the caller was known
 * @param address    the network address, or null where there is none or it is unknown
 * @param generation the generation of the protocol, as people name it; null where the server could not read that much
 *     of the message
 */
public record ObservedCaller(
        @Nullable Principal principal,
        @Nullable String address,
        @Nullable String generation) {

    private static final String PLAIN = "plain-";

    public static ObservedCaller of(Exchange exchange, @Nullable Dialect dialect) {
        return new ObservedCaller(
                exchange.principal(),
                exchange.remoteAddress().orElse(null),
                dialect == null ? null : generation(dialect.name()));
    }

    /** This caller, answered in the words of another generation. */
    ObservedCaller speaking(String other) {
        return new ObservedCaller(principal, address, generation(other));
    }

    /** The generation as people name it: a revision by its version alone, whether or not its clients have tasks. */
    public static String generation(String dialect) {
        boolean isRevision = dialect.startsWith(PLAIN) || dialect.startsWith("tasks-");
        return isRevision ? dialect.substring(PLAIN.length()) : dialect;
    }

    /** The key that tells callers apart: the principal, or the network address of an anonymous or unknown caller. */
    String key() {
        boolean isKnown = principal != null && principal.kind() != Principal.Kind.ANONYMOUS;
        return isKnown ? "principal " + principal.name() : "address " + address;
    }
}
