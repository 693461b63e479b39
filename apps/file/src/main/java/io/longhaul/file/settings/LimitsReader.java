// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.settings;

import io.longhaul.file.tree.FileFields;

/** Reads limits, each by its name. */
public final class LimitsReader {
    private static final String AT = "/limits";

    private LimitsReader() {}

    public static Limits read(FileFields file) {
        var limits = Limits.DEFAULT;
        for (var limit : Limit.values()) {
            var at = AT + "/" + limit.word();
            var text = file.text(at);
            if (text != null && limit.parse(text).isEmpty()) {
                file.wrong(at, FileFields.quote(text) + " cannot be this limit", limit.advice());
            } else if (text != null) {
                limits = limits.with(limit, text);
            }
        }
        try {
            limits.tasks();
            return limits;
        } catch (IllegalArgumentException e) {
            file.wrong(AT, "cannot be taken: " + e.getMessage(), "Correct it, or leave it out");
            return Limits.DEFAULT;
        }
    }
}
