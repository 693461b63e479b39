// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.dialect.Revision.Capability;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Rewrites questions for a revision. Questions are written for 2025-11-25, which has the most features. Older revisions
 * have one form of choice with titles, no multiple choice, only some defaults, and one item in a message to a model.
 * The newest revision has no ids of questions at an address. Where a client of an older revision declares more than its
 * revision has, the question is written as in the first revision that had the feature.
 */
public final class QuestionRewriter {

    private static final String ELICITATION_ID = "elicitationId";

    private QuestionRewriter() {}

    /** The params of a question for a revision that has its method. */
    public static Json params(Revision revision, Question question) {
        return switch (question.method()) {
            case "elicitation/create" -> elicitation(revision, question.params());
            case "sampling/createMessage" ->
                revision.has(Capability.ELICITATION_MODES) ? question.params() : messages(question.params());
            default -> question.params();
        };
    }

    private static Json elicitation(Revision revision, Json params) {
        if (revision.has(Capability.ELICITATION_IDS)) {
            return params;
        }
        var asked = (ObjectNode) JsonTree.read(params);
        if (revision.has(Capability.ELICITATION_MODES)) {
            asked.remove(ELICITATION_ID);
        } else if (!asked.path("mode").asString("").equals("url")) {
            asked.remove("mode");
            if (asked.path("requestedSchema") instanceof ObjectNode schema) {
                ManyChoices.unfold(schema);
                schema.path("properties").forEach(QuestionRewriter::simplify);
            }
        }
        return JsonTree.write(asked);
    }

    /** Simplifies a field: "enumNames" are the only titles, and only a boolean has a default. */
    private static void simplify(JsonNode property) {
        var field = (ObjectNode) property;
        if (field.has("oneOf")) {
            var names = JsonTree.array();
            var values = JsonTree.array();
            for (JsonNode option : field.path("oneOf")) {
                values.add(option.path("const"));
                names.add(option.path("title"));
            }
            field.remove("oneOf");
            field.set("enum", values);
            field.set("enumNames", names);
        }
        if (!field.path("type").asString("").equals("boolean")) {
            field.remove("default");
        }
    }

    /** A message with several items becomes several messages. */
    private static Json messages(Json params) {
        var asked = (ObjectNode) JsonTree.read(params);
        var messages = JsonTree.array();
        for (JsonNode message : asked.path("messages")) {
            JsonNode content = message.path("content");
            if (!content.isArray()) {
                messages.add(message);
            }
            for (JsonNode item : content.isArray() ? content : JsonTree.array()) {
                var single = ((ObjectNode) message).deepCopy();
                single.set("content", item);
                messages.add(single);
            }
        }
        asked.set("messages", messages);
        return JsonTree.write(asked);
    }
}
