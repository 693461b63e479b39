package io.longhaul.cli.config;

import org.jspecify.annotations.Nullable;

/** Reads limits, each by its name. */
final class LimitsReader {
    private LimitsReader() {}

    /** @param section of the file, or null where it has none */
    static Limits read(@Nullable Entry section) {
        var limits = Limits.DEFAULT;
        if (section == null) {
            return limits;
        }
        for (var field : section.fields(Limit.words()).entrySet()) {
            var limit = Limit.named(field.getKey()).orElseThrow();
            var entry = field.getValue();
            var text = entry.text();
            if (limit.parse(text).isEmpty()) {
                throw entry.bad(Entry.quote(text) + " cannot be this limit", limit.advice());
            }
            limits = limits.with(limit, text);
        }
        try {
            limits.tasks();
        } catch (IllegalArgumentException e) {
            throw section.bad("cannot be taken: " + e.getMessage(), "Correct it, or leave it out");
        }
        return limits;
    }
}
