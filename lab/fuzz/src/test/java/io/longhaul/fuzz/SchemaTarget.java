// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fuzz;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonException;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.schema.SchemaCheck;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Input: a schema, a line of three dashes, and a value that is checked by it. The schema is compiled, or refused with a
 * reason; the value fits, or a problem is told, and the same again.
 */
final class SchemaTarget implements Target {

    private static final String LINE = "\n---\n";
    private static final int LONGEST_PROBLEM = 4_100;
    private static final List<Function<String, SchemaCheck>> WAYS =
            List.of(SchemaCheck::of, SchemaCheck::ofForm, SchemaCheck::ofArguments);

    private final JsonReader reader = new JsonReader(1 << 20, 64);

    @Override
    public void feed(byte[] input) {
        var text = new String(input, StandardCharsets.UTF_8);
        var at = text.indexOf(LINE);
        var schema = at < 0 ? Optional.<Json>empty() : json(text.substring(0, at));
        var value = at < 0 ? Optional.<Json>empty() : json(text.substring(at + LINE.length()));
        if (schema.isPresent() && value.isPresent()) {
            WAYS.forEach(way -> check(way, schema.get().toString(), value.get()));
        }
    }

    /** Schemas and values both come through the reader of messages. */
    private Optional<Json> json(String text) {
        try {
            return Optional.of(reader.value(text.getBytes(StandardCharsets.UTF_8)));
        } catch (JsonException e) {
            return Optional.empty();
        }
    }

    private static void check(Function<String, SchemaCheck> way, String schema, Json value) {
        SchemaCheck check;
        try {
            check = way.apply(schema);
        } catch (IllegalArgumentException e) {
            Target.require(e.getMessage() != null && !e.getMessage().isBlank(), "no reason");
            return;
        }
        var problem = check.problem(value);
        Target.require(problem.equals(check.problem(value)), "%s, and then another problem", problem);
        Target.require(problem.orElse("?").length() <= LONGEST_PROBLEM, "a long problem");
        Target.require(problem.isEmpty() || !problem.get().isBlank(), "an empty problem");
    }
}
