// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.job;

import io.longhaul.schema.OptionalNulls;
import io.longhaul.schema.SchemaCheck;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads output that is one JSON object, apart from progress lines. Immutable.
 *
 * @param check    the schema of the object, or null where any object is valid
 * @param nulls    removes nulls that stand for absent fields
 * @param progress matches lines that are not part of the object
 */
record JsonResults(@Nullable SchemaCheck check, OptionalNulls nulls, List<Pattern> progress) {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String BREACH = "The command has ended well, and its output is not what this tool promises: ";

    /** The result of reading an output. */
    sealed interface Read {
        record Good(JsonNode value) implements Read {}

        /** @param why the error in words for a model, before the output */
        record Bad(String why) implements Read {}
    }

    static JsonResults of(@Nullable ObjectNode schema, List<String> progress) {
        return new JsonResults(
                schema == null ? null : SchemaCheck.of(schema.toString()),
                new OptionalNulls(schema == null ? JSON.createObjectNode() : schema),
                progress.stream().map(Pattern::compile).toList());
    }

    /** The message for output that is no complete text. */
    static String unread(String output) {
        return (BREACH + "it is no JSON, or longer than the limit of the output of this tool.\n" + output).strip();
    }

    Read read(String output) {
        var text = output.lines()
                .filter(line ->
                        progress.stream().noneMatch(one -> one.matcher(line).find()))
                .collect(Collectors.joining("\n"));
        try {
            var value = JSON.readTree(text);
            if (!value.isObject()) {
                return new Read.Bad(BREACH + "it is no JSON object.");
            }
            var present = nulls.without(value);
            var problem = check == null ? Optional.<String>empty() : check.problem(present);
            return problem.<Read>map(why -> new Read.Bad(BREACH + why + ".")).orElseGet(() -> new Read.Good(present));
        } catch (JacksonException e) {
            var at = e.getLocation();
            var where = at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
            return new Read.Bad(BREACH + "it is no JSON" + where + ".");
        }
    }
}
