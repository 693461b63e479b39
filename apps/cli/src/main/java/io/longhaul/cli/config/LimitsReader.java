// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

/** Reads limits, each by its name. */
final class LimitsReader {
    private static final String AT = "/limits";

    private LimitsReader() {}

    static Limits read(FileFields file) {
        var limits = Limits.DEFAULT;
        for (var limit : Limit.values()) {
            var at = AT + "/" + limit.word();
            var text = file.text(at);
            if (text != null && limit.parse(text).isEmpty()) {
                var problem = FileFields.quote(text) + " cannot be this limit";
                file.mistakes().at(at, problem, limit.advice());
            } else if (text != null) {
                limits = limits.with(limit, text);
            }
        }
        try {
            limits.tasks();
            return limits;
        } catch (IllegalArgumentException e) {
            file.mistakes().at(AT, "cannot be taken: " + e.getMessage(), "Correct it, or leave it out");
            return Limits.DEFAULT;
        }
    }
}
