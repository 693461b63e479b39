// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.util.Locale;

/** The sender of a message, or the audience of content. */
public enum Role {
    USER,
    ASSISTANT;

    /** The role in the words of the protocol. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
