// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal.request;

import io.longhaul.engine.task.Progress;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The reports of a workflow: its answer to the query {@link WorkflowCalls#LOOK}. Immutable.
 *
 * @param logs      the log lines, numbered from 1 on
 * @param parts     the pieces of output, numbered from 1 on
 * @param questions the questions without an answer
 * @param hasMore   whether lines or pieces were left for the next look
 */
public record WorkflowReports(
        Optional<Progress> progress,
        Optional<String> message,
        List<Line> logs,
        List<Part> parts,
        List<Question> questions,
        boolean hasMore) {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String ANY_ANSWER = "{\"type\":\"object\",\"properties\":{}}";

    /** The look at a workflow without reports. */
    static final WorkflowReports NOTHING =
            new WorkflowReports(Optional.empty(), Optional.empty(), List.of(), List.of(), List.of(), false);

    public record Line(int number, String level, String text) {}

    public record Part(int number, String text) {}

    /** @param params the params of {@code elicitation/create}; empty where the question has no schema in JSON */
    public record Question(String id, Optional<String> params) {}

    /** @throws IllegalArgumentException where the answer is no JSON object */
    static WorkflowReports of(byte[] answer) {
        JsonNode node;
        try {
            node = JSON.readTree(answer);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("a look gave no JSON", e);
        }
        if (!node.isObject()) {
            throw new IllegalArgumentException("a look gave no JSON object");
        }
        return new WorkflowReports(
                progress(node.path("progress")),
                text(node, "message"),
                node.path("logs").valueStream().map(WorkflowReports::line).toList(),
                node.path("parts").valueStream().map(WorkflowReports::part).toList(),
                node.path("questions")
                        .valueStream()
                        .filter(question -> question.path("id").isString())
                        .map(WorkflowReports::question)
                        .toList(),
                node.path("more").asBoolean(false));
    }

    /** The progress in the details of a heartbeat; empty where they are no JSON, or other than progress. */
    static Optional<Progress> progress(byte[] details) {
        try {
            return progress(JSON.readTree(details));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private static Optional<Progress> progress(JsonNode node) {
        if (!node.path("current").isNumber()) {
            return Optional.empty();
        }
        var total = node.path("total");
        return Optional.of(new Progress(
                node.path("current").asDouble(),
                total.isNumber() ? total.asDouble() : null,
                text(node, "message").orElse(null)));
    }

    private static Optional<String> text(JsonNode node, String field) {
        return Optional.ofNullable(node.path(field).asString(null));
    }

    private static Line line(JsonNode node) {
        return new Line(
                node.path("n").asInt(0),
                text(node, "level").orElse("info"),
                text(node, "text").orElse(""));
    }

    private static Part part(JsonNode node) {
        return new Part(node.path("n").asInt(0), text(node, "text").orElse(""));
    }

    private static Question question(JsonNode node) {
        return new Question(
                node.path("id").stringValue(), schema(node.path("schema")).map(schema -> {
                    var params = JSON.createObjectNode()
                            .put("message", text(node, "message").orElse(""));
                    params.set("requestedSchema", schema);
                    return params.toString();
                }));
    }

    /** The schema, given as an object or as JSON in a text; without a schema any answer is valid. */
    private static Optional<JsonNode> schema(JsonNode given) {
        try {
            var text = given.isMissingNode() || given.isNull() ? ANY_ANSWER : given.asString(null);
            var schema = given.isObject() ? given : JSON.readTree(text == null ? "" : text);
            return Optional.of(schema).filter(JsonNode::isObject);
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }
}
