// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The permissions of one message by its authorization. A permit belongs to a message and not to its {@link Principal}:
 * the next token of the same principal may allow more or less. Immutable.
 *
 * @param unlimited whether calls need no scope, since the deployer set no rules for callers
 * @param scopes    the granted scopes, with all implied scopes
 * @param challenge returns the value of {@code WWW-Authenticate} for a message that needs these scopes; empty where no
 *                  authorization would help
 */
public record Permit(boolean unlimited, Set<String> scopes, Function<Collection<String>, Optional<String>> challenge) {

    /** The scope of operators, who see, list and cancel the tasks of every owner. */
    public static final String OPERATOR = "tasks:admin";

    private static final Permit UNLIMITED = new Permit(true, Set.of(), needed -> Optional.empty());
    private static final Permit NONE = new Permit(false, Set.of(), needed -> Optional.empty());

    public Permit {
        scopes = Set.copyOf(scopes);
    }

    /** A permit with the scopes that an authorization has granted. */
    public static Permit of(Set<String> scopes, Function<Collection<String>, Optional<String>> challenge) {
        return new Permit(false, scopes, challenge);
    }

    /** The permit of a principal without scopes of an authorization: an anonymous caller has no scope. */
    public static Permit of(Principal principal) {
        return principal.kind() == Principal.Kind.ANONYMOUS ? NONE : UNLIMITED;
    }

    /** Whether the permit allows a message that needs all of these scopes. */
    public boolean covers(Collection<String> needed) {
        return unlimited || scopes.containsAll(needed);
    }

    /** Whether the message is of an operator. The local user is no operator, but has access to the data folder. */
    public boolean isOperator() {
        return scopes.contains(OPERATOR);
    }
}
