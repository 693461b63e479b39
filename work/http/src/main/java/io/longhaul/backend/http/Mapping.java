// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/**
 * The places of values in the answers of an API.
 *
 * @param states the words for states at {@link Field#STATE}
 */
record Mapping(Map<Field, JsonPointer> places, JobStates states) {

    Mapping {
        places = Map.copyOf(places);
    }

    boolean has(Field field) {
        return places.containsKey(field);
    }

    /** The value of a field; empty where it is not mapped, missing or null. */
    Optional<JsonNode> find(Field field, JsonNode body) {
        return Optional.ofNullable(places.get(field)).flatMap(place -> present(body.at(place)));
    }

    Optional<String> text(Field field, JsonNode body) {
        return find(field, body).filter(JsonNode::isValueNode).map(Values::asText);
    }

    static Optional<JsonNode> present(JsonNode node) {
        return node.isMissingNode() || node.isNull() ? Optional.empty() : Optional.of(node);
    }

    static Optional<String> string(JsonNode body, String pointer) {
        return Optional.of(body.at(pointer)).filter(JsonNode::isString).map(JsonNode::stringValue);
    }
}
