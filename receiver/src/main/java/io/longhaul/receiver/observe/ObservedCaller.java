// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.observe;

import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.Principal;
import org.jspecify.annotations.Nullable;

/**
 * On whose behalf something happened. Texts in it may come from strangers.
 *
 * @param principal  null where access was denied before the caller was known
 * @param address    the network address, or null where there is none, or it is not known
 * @param generation the generation of the protocol, as people name it; null where a message was not understood so far
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

    /** The same caller, who is answered in the words of another generation. */
    ObservedCaller speaking(String other) {
        return new ObservedCaller(principal, address, generation(other));
    }

    /** People name a revision by its version alone, whether its clients have tasks or not. */
    public static String generation(String dialect) {
        boolean isRevision = dialect.startsWith(PLAIN) || dialect.startsWith("tasks-");
        return isRevision ? dialect.substring(PLAIN.length()) : dialect;
    }

    /** What tells this caller from others: its network where it is anonymous or unknown. */
    String key() {
        boolean isKnown = principal != null && principal.kind() != Principal.Kind.ANONYMOUS;
        return isKnown ? "principal " + principal.name() : "address " + address;
    }
}
