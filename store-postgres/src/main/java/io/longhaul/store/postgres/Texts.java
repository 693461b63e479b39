// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import org.jspecify.annotations.Nullable;

/** What PostgreSQL takes for a text: all but the character U+0000, which would fail the whole transaction. */
final class Texts {

    private Texts() {}

    /** Whether each of them can be in the database; null can. */
    static boolean canBeStored(@Nullable String... texts) {
        for (var text : texts) {
            if (text != null && text.indexOf('\0') >= 0) {
                return false;
            }
        }
        return true;
    }
}
