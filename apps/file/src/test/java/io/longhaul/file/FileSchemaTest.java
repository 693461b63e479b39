// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.file.settings.Limit;
import io.longhaul.file.tree.FileSchema;
import io.longhaul.file.tree.YamlTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The schema of the file has what its readers need: people, editors, the page and the check. */
class FileSchemaTest {
    private static final JsonNode SCHEMA = JsonMapper.shared().readTree(FileSchema.text());
    private static final Set<String> KEYWORDS = Set.of("type", "pattern", "enum", "const", "minimum", "maximum");

    @Test
    void the_limits_are_those_of_the_program() {
        var limits = SCHEMA.at("/definitions/limits/properties").propertyNames();
        assertThat(limits).containsExactlyInAnyOrderElementsOf(Limit.words());
    }

    @Test
    void whatever_can_be_broken_says_what_must_be_and_what_to_do() {
        assertThat(schemas("", SCHEMA, new ArrayList<>()))
                .filteredOn(place -> KEYWORDS.stream().anyMatch(SCHEMA.at(place)::has))
                .filteredOn(place -> !place.endsWith("/if"))
                .hasSizeGreaterThan(60)
                .allSatisfy(place -> assertThat(
                                SCHEMA.at(place).path("errorMessage").asString(""))
                        .matches("must [^.]+\\. [A-Z].+[^.]"));
    }

    @Test
    void each_field_is_described_in_sentences() {
        for (var object : SCHEMA.path("definitions").properties()) {
            if (Set.of("schema", "inputSchema", "outputSchema").contains(object.getKey())) {
                continue;
            }
            object.getValue()
                    .path("properties")
                    .properties()
                    .forEach(field -> assertThat(
                                    field.getValue().path("description").asString(""))
                            .as(object.getKey() + "." + field.getKey())
                            .matches("(?s)[A-Z].+\\."));
        }
    }

    private static List<String> schemas(String at, JsonNode schema, List<String> found) {
        found.add(at);
        for (var holder : List.of("properties", "definitions")) {
            schema.path(holder)
                    .properties()
                    .forEach(inner ->
                            schemas(YamlTree.below(at + "/" + holder, inner.getKey()), inner.getValue(), found));
        }
        for (var inner : List.of("items", "additionalProperties", "propertyNames", "then")) {
            if (schema.path(inner).isObject()) {
                schemas(at + "/" + inner, schema.path(inner), found);
            }
        }
        return found;
    }
}
