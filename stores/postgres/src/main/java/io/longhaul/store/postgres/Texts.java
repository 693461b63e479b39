// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import org.jspecify.annotations.Nullable;

/** Checks that PostgreSQL can store a text: the character U+0000 would fail the whole transaction. */
final class Texts {

    private Texts() {}

    /** Whether the database can store each of the texts; null is allowed. */
    static boolean canBeStored(@Nullable String... texts) {
        for (var text : texts) {
            if (text != null && text.indexOf('\0') >= 0) {
                return false;
            }
        }
        return true;
    }
}
