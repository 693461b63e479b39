// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tree;

import io.longhaul.file.text.HarmlessText;

/**
 * One thing that is wrong with a file of tools.
 *
 * @param file    the path of the file, as it was named
 * @param line    from 1; 0 where the mistake has no place
 * @param column  from 1; 0 where the mistake has no place
 * @param field   such as {@code tools.list.command[1]}; empty for the whole file
 * @param problem the second part of a sentence, without a full stop
 * @param fix     what to do, in a sentence
 */
public record Mistake(String file, int line, int column, String field, String problem, String fix) {

    public Mistake {
        fix = fix.endsWith("?") || fix.endsWith(".") ? fix : fix + ".";
    }

    /** The mistake of a file as a whole. */
    public static Mistake of(String file, String problem, String fix) {
        return new Mistake(file, 0, 0, "", problem, fix);
    }

    /** One line, harmless for a terminal: {@code FILE:LINE:COLUMN: field: problem. fix}. */
    public String text() {
        return text("");
    }

    /** As {@link #text}, for a mistake with which the file can still be served. */
    public String warning() {
        return text("warning: ");
    }

    private String text(String kind) {
        var at = line == 0 ? "" : ":" + line + ":" + column;
        return HarmlessText.line(
                file + at + ": " + kind + (field.isEmpty() ? "" : field + ": ") + problem + ". " + fix);
    }
}
