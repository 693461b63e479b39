// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

/**
 * Whom a task belongs to. Two owners are the same if and only if their values are equal; the engine does not parse
 * values.
 *
 * @param value {@code local}, {@code anonymous}, or issuer and subject of an authorization
 */
public record Owner(String value) {

    /** The one user of a server reached over stdio or loopback HTTP without authorization. */
    public static final Owner LOCAL = new Owner("local");

    /** All callers that reach a server on another address without authorization: the task id is their only key. */
    public static final Owner ANONYMOUS = new Owner("anonymous");

    public Owner {
        if (value.isBlank()) {
            throw new IllegalArgumentException("an owner needs a value");
        }
    }
}
