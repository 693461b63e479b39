// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.json;

import io.longhaul.protocol.WireLimits;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads JSON as trees, for clients, which have few messages; the hot path of a server reads streams instead. Duplicate
 * keys, trailing text and values over a limit are refused. Numbers keep their digits. Thread-safe.
 */
public final class JsonTree {

    private static final JsonMapper DEFAULT = mapper(WireLimits.DEFAULT);

    private JsonTree() {}

    /** Reads one value that was written here or checked before. */
    public static JsonNode read(Json json) {
        try {
            return DEFAULT.readTree(json.bytes());
        } catch (JacksonException e) {
            throw new IllegalArgumentException("This is no JSON: " + problem(e) + ".", e);
        }
    }

    /**
     * Reads one value from outside.
     *
     * @throws IllegalArgumentException with a sentence that says what is wrong
     */
    public static JsonNode read(byte[] bytes) {
        return read(Json.raw(bytes));
    }

    /** Writes a value on a single line. */
    public static Json write(JsonNode node) {
        return Json.raw(DEFAULT.writeValueAsBytes(node));
    }

    /** A new empty object. */
    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** A new empty array. */
    public static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    private static String problem(JacksonException e) {
        var where = e.getLocation();
        return e.getOriginalMessage() + (where == null ? "" : " at byte " + where.getByteOffset());
    }

    private static JsonMapper mapper(WireLimits limits) {
        var constraints = StreamReadConstraints.builder()
                .maxNestingDepth(limits.jsonDepth())
                .maxNumberLength(1000)
                .maxStringLength(limits.messageBytes())
                .build();
        var factory = JsonFactory.builder()
                .streamReadConstraints(constraints)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        return JsonMapper.builder(factory)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .build();
    }
}
