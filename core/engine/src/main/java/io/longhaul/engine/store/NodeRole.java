// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

import java.util.Collection;
import java.util.Set;

/**
 * Which tasks a server runs, among the nodes of its database.
 *
 * @param labels of the server: it runs a tool that names labels only where it has each of them
 */
public record NodeRole(Kind kind, Set<String> labels) {

    /** The role of a server whose file and command line say nothing. */
    public static final NodeRole ALL = new NodeRole(Kind.ALL, Set.of());

    /** What a server is for. */
    public enum Kind {
        /** Clients and tasks. */
        ALL,
        /** Clients alone. */
        FRONT,
        /** Tasks alone. */
        WORK
    }

    public NodeRole {
        labels = Set.copyOf(labels);
    }

    /** Whether the server runs a tool that is for nodes with these labels. */
    public boolean runs(Collection<String> on) {
        return kind != Kind.FRONT && labels.containsAll(on);
    }
}
