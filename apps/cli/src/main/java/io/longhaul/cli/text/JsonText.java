// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.text;

import io.longhaul.protocol.json.Json;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** JSON as trees and as text. */
public final class JsonText {
    private static final JsonMapper COMPACT = JsonMapper.shared();
    private static final JsonMapper PRETTY =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private JsonText() {}

    public static JsonNode tree(Json json) {
        return COMPACT.readTree(json.bytes());
    }

    /**
     * Reads JSON that a user wrote.
     *
     * @throws IllegalArgumentException with a sentence for the user when the text is no JSON
     */
    public static JsonNode read(String text) {
        try {
            return COMPACT.readTree(text);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(e.getOriginalMessage(), e);
        }
    }

    public static ObjectNode object() {
        return COMPACT.createObjectNode();
    }

    /** Adds a member to an object, unless its value is null; a duration is a number of milliseconds. */
    public static void add(ObjectNode object, String name, @Nullable Object value) {
        if (value != null) {
            object.set(
                    name,
                    switch (value) {
                        case Json json -> tree(json);
                        case Duration time -> COMPACT.valueToTree(time.toMillis());
                        default -> COMPACT.valueToTree(value);
                    });
        }
    }

    public static Json json(JsonNode tree) {
        return Json.raw(COMPACT.writeValueAsBytes(tree));
    }

    /** Indented JSON for people and programs, without characters that control a terminal. */
    public static String pretty(JsonNode tree) {
        return SafeText.block(PRETTY.writeValueAsString(tree));
    }

    /** JSON in one line, without characters that control a terminal. */
    public static String line(JsonNode tree) {
        return SafeText.block(COMPACT.writeValueAsString(tree));
    }
}
