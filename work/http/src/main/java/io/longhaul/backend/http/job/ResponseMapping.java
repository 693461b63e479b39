// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.job;

import io.longhaul.backend.http.request.TemplateValues;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/**
 * The places of values in the responses of an API.
 *
 * @param stages       what words at {@link ResponseField#STATE} mean, in lower case; any other word means that the job
 *                     goes on
 * @param follows      whether an answer can name a job that is followed; else each answer is the result
 * @param pages        how a list goes on, or null
 * @param retriedCodes the status codes of a response to a start after which a retry may succeed
 */
public record ResponseMapping(
        Map<ResponseField, JsonPointer> places,
        Map<String, JobStage> stages,
        boolean follows,
        @Nullable Paging pages,
        Set<Integer> retriedCodes) {

    public ResponseMapping {
        places = Map.copyOf(places);
        stages = Map.copyOf(stages);
        retriedCodes = Set.copyOf(retriedCodes);
    }

    public boolean has(ResponseField field) {
        return places.containsKey(field);
    }

    public JobStage stage(String word) {
        return stages.getOrDefault(word.toLowerCase(Locale.ROOT), JobStage.WORKING);
    }

    public boolean isRetried(int code) {
        return retriedCodes.contains(code);
    }

    /** The value of a field; empty where it is not mapped, missing or null. */
    public Optional<JsonNode> find(ResponseField field, JsonNode body) {
        return Optional.ofNullable(places.get(field)).flatMap(place -> present(body.at(place)));
    }

    public Optional<String> text(ResponseField field, JsonNode body) {
        return find(field, body).filter(JsonNode::isValueNode).map(TemplateValues::asText);
    }

    public static Optional<JsonNode> present(JsonNode node) {
        return node.isMissingNode() || node.isNull() ? Optional.empty() : Optional.of(node);
    }

    public static Optional<String> string(JsonNode body, String pointer) {
        return Optional.of(body.at(pointer)).filter(JsonNode::isString).map(JsonNode::stringValue);
    }
}
