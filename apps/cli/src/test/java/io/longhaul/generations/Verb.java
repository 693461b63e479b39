// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

/** What an owner can do to a task that was created in another generation. */
enum Verb {
    READ,
    WATCH,
    ANSWER,
    LIST,
    CANCEL,
    OUTCOME;

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
