// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.client.QuestionHandler.Root;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.net.URI;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Answers all that a server asks, with something that fits. */
final class ScriptedUser {

    private static final Json COMPLETION = Json.raw("""
            {"role":"assistant","model":"none","content":{"type":"text","text":"Waves come and go."}}""");

    private ScriptedUser() {}

    static QuestionHandler answers() {
        return QuestionHandler.NONE
                .forms(form -> new Reply.Accepted(filled(form.schema())))
                .links(link -> new Reply.Accepted(Json.EMPTY_OBJECT))
                .sampling(request -> COMPLETION)
                .roots(() -> List.of(new Root(URI.create("file:///srv/project"), "project")));
    }

    /** An object with each of the properties of a schema. */
    static Json filled(Json schema) {
        var object = JsonTree.object();
        for (var property : JsonTree.read(schema).path("properties").properties()) {
            object.set(property.getKey(), valueOf(property.getValue()));
        }
        return JsonTree.write(object);
    }

    private static JsonNode valueOf(JsonNode property) {
        var given = List.of(property.path("default"), property.at("/enum/0"), property.at("/oneOf/0/const"));
        return given.stream()
                .filter(value -> !value.isMissingNode())
                .findFirst()
                .orElseGet(() -> switch (property.path("type").asString("")) {
                    case "boolean" -> JsonNodeFactory.instance.booleanNode(true);
                    case "integer", "number" -> JsonNodeFactory.instance.numberNode(5);
                    case "array" -> JsonTree.array();
                    default ->
                        JsonNodeFactory.instance.stringNode(
                                textOf(property.path("format").asString("")));
                });
    }

    private static String textOf(String format) {
        return switch (format) {
            case "email" -> "ada@example.org";
            case "uri" -> "https://example.org/";
            case "date" -> "1815-12-10";
            case "date-time" -> "1815-12-10T00:00:00Z";
            default -> "text";
        };
    }
}
