// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

/**
 * On whose behalf a message was sent.
 *
 * @param name identifies the principal among all of the server: an owner's value
 * @param kind how far it was established
 */
public record Principal(String name, Kind kind) {

    /** How far a principal was established. */
    public enum Kind {
        /** The one user of stdio or loopback HTTP. */
        LOCAL,
        /** Anybody: a task's id is the only key to it, and nothing is listed. */
        ANONYMOUS,
        /** Named by an authorization. */
        AUTHORIZED
    }

    public static final Principal LOCAL = new Principal("local", Kind.LOCAL);

    public static final Principal ANONYMOUS = new Principal("anonymous", Kind.ANONYMOUS);

    /** The principal of this name: an authorization names every one but the local user and the anonymous callers. */
    public static Principal named(String name) {
        if (name.equals(LOCAL.name)) {
            return LOCAL;
        }
        return name.equals(ANONYMOUS.name) ? ANONYMOUS : new Principal(name, Kind.AUTHORIZED);
    }
}
