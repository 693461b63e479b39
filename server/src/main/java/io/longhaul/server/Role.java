// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.util.Locale;

/** Whose a message is, or for whom content is meant. */
public enum Role {
    USER,
    ASSISTANT;

    /** As the protocol spells it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
