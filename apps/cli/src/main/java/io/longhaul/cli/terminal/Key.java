// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.terminal;

/**
 * A key that was pressed.
 *
 * @param text the typed text; empty for all kinds except {@link Kind#TEXT}
 */
public record Key(Kind kind, String text) {
    public enum Kind {
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN,
        HOME,
        END,
        ENTER,
        ESCAPE,
        ERASE,
        TEXT
    }

    static Key of(Kind kind) {
        return new Key(kind, "");
    }

    static Key text(int codePoint) {
        return new Key(Kind.TEXT, Character.toString(codePoint));
    }
}
