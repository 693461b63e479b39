// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

/**
 * The identity on whose behalf a message was sent.
 *
 * @param name identifies the principal among all principals of the server, and names the owner of its tasks
 * @param kind how the identity was established
 */
public record Principal(String name, Kind kind) {

    /** How the identity of a principal was established. */
    public enum Kind {
        /** The one user of stdio or loopback HTTP. */
        LOCAL,
        /** An anonymous caller: the task id is the only key to a task, and anonymous callers cannot list tasks. */
        ANONYMOUS,
        /** Named by an authorization. */
        AUTHORIZED
    }

    public static final Principal LOCAL = new Principal("local", Kind.LOCAL);

    public static final Principal ANONYMOUS = new Principal("anonymous", Kind.ANONYMOUS);

    /**
     * The principal of this name. Every principal except the local user and the anonymous callers was named by an
     * authorization.
     */
    public static Principal named(String name) {
        if (name.equals(LOCAL.name)) {
            return LOCAL;
        }
        return name.equals(ANONYMOUS.name) ? ANONYMOUS : new Principal(name, Kind.AUTHORIZED);
    }
}
