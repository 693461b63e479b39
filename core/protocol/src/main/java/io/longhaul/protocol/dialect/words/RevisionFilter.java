// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.dialect.Revision.Capability;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonMembers;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Removes from definitions and results what a revision does not know yet, and rewrites content that an older revision
 * has in another form: sound becomes an embedded resource, and a link a line of text. The input is as in the newest
 * revision. Immutable.
 */
public final class RevisionFilter {

    private final Set<String> unknownOfTools = new HashSet<>();
    private final Set<String> unknownOfOthers = new HashSet<>();
    private final Set<String> unknownOfServers = new HashSet<>();

    /** What is unknown of a tool whose structured results are not objects. */
    private final Set<String> unknownOfAnyTools = new HashSet<>();

    private final boolean sound;
    private final boolean links;
    private final boolean structured;
    private final boolean anyStructured;

    public RevisionFilter(Revision revision) {
        sound = revision.has(Capability.AUDIO);
        links = revision.has(Capability.RESOURCE_LINKS);
        structured = revision.has(Capability.STRUCTURED_RESULTS);
        anyStructured = revision.has(Capability.ANY_STRUCTURED_RESULTS);
        if (!revision.has(Capability.ICONS)) {
            unknownOfOthers.add("icons");
            unknownOfServers.addAll(Set.of("description", "websiteUrl"));
        }
        if (!revision.has(Capability.TITLES)) {
            unknownOfOthers.addAll(Set.of("title", Meta.META));
        }
        if (!structured) {
            unknownOfTools.add("outputSchema");
        }
        if (!revision.has(Capability.TOOL_ANNOTATIONS)) {
            unknownOfTools.add("annotations");
        }
        unknownOfTools.addAll(unknownOfOthers);
        unknownOfServers.addAll(unknownOfOthers);
        unknownOfAnyTools.addAll(unknownOfTools);
        unknownOfAnyTools.add("outputSchema");
    }

    /** A server as it describes itself. */
    public Json implementation(Json self) {
        return without(self, unknownOfServers);
    }

    /** A tool as it is listed. */
    public Json tool(Json definition) {
        if (anyStructured && unknownOfTools.isEmpty()) {
            return definition;
        }
        var output = JsonReader.members(definition).get("outputSchema");
        return without(
                definition,
                output == null || anyStructured || isOfObjects(output) ? unknownOfTools : unknownOfAnyTools);
    }

    /** A resource, template or prompt as it is listed. */
    public Json listed(Json definition) {
        if (unknownOfOthers.isEmpty()) {
            return definition;
        }
        return unknownOfOthers.contains("title")
                        && JsonReader.members(definition).has("arguments")
                ? each(
                        without(definition, unknownOfOthers),
                        (name, value) -> name.equals("arguments") ? items(value, this::listed) : value)
                : without(definition, unknownOfOthers);
    }

    /** The result of a tool. */
    public Json toolResult(Json result) {
        if (links && anyStructured) {
            return result;
        }
        var value = JsonReader.member(result, "structuredContent");
        boolean keeps = value == null || structured && (anyStructured || value.kind() == Json.Kind.OBJECT);
        return keeps && links
                ? result
                : each(result, (name, member) -> switch (name) {
                    case "content" -> items(member, this::content);
                    case "structuredContent" -> keeps ? member : null;
                    default -> member;
                });
    }

    /** The result of a request of any kind; its members show the kind. */
    public Json result(Json result) {
        if (links && anyStructured) {
            return result;
        }
        var content = JsonReader.member(result, "content");
        if (content != null && content.kind() == Json.Kind.ARRAY) {
            return toolResult(result);
        }
        return JsonReader.member(result, "messages") == null ? result : promptResult(result);
    }

    /** The result of a prompt. */
    public Json promptResult(Json result) {
        return links
                ? result
                : each(result, (name, value) -> name.equals("messages") ? items(value, this::message) : value);
    }

    private Json message(Json message) {
        return each(message, (name, value) -> name.equals("content") ? content(value) : value);
    }

    /** One item of content. */
    private Json content(Json item) {
        if (links || item.kind() != Json.Kind.OBJECT) {
            return item;
        }
        var members = JsonReader.members(item);
        return switch (String.valueOf(members.text("type"))) {
            case "audio" -> sound ? item : embedded(members);
            case "resource_link" -> line(members);
            default -> item;
        };
    }

    private static Json embedded(JsonMembers audio) {
        var resource = JsonWriter.object(256)
                .member("uri", "urn:longhaul:audio")
                .optional("mimeType", audio.get("mimeType"))
                .optional("blob", audio.get("data"))
                .end();
        var item = JsonWriter.object(256).member("type", "resource").member("resource", resource);
        return item.optional("annotations", audio.get("annotations")).end();
    }

    private static Json line(JsonMembers link) {
        var title = link.text("title");
        var description = link.text("description");
        var words = (title == null ? link.text("name") : title) + ": " + link.text("uri");
        var text = description == null ? words : words + " (" + description + ")";
        var item = JsonWriter.object(256).member("type", "text").member("text", text);
        return item.optional("annotations", link.get("annotations")).end();
    }

    private static boolean isOfObjects(Json schema) {
        return schema.kind() == Json.Kind.OBJECT
                && "object".equals(JsonReader.members(schema).text("type"));
    }

    private static Json without(Json object, Set<String> unknown) {
        var members = JsonReader.members(object);
        return unknown.stream().noneMatch(members::has)
                ? object
                : JsonWriter.object(object.size()).membersBut(unknown, members).end();
    }

    /** An object with each member as {@code of} gives it, and without those for which it gives null. */
    private static Json each(Json object, BiFunction<String, Json, @Nullable Json> of) {
        var out = JsonWriter.object(object.size());
        JsonReader.members(object).asMap().forEach((name, value) -> out.optional(name, of.apply(name, value)));
        return out.end();
    }

    /** An array with each element as {@code of} gives it; any other value as it is. */
    private static Json items(Json array, UnaryOperator<Json> of) {
        if (array.kind() != Json.Kind.ARRAY) {
            return array;
        }
        var out = new JsonWriter(array.size()).beginArray();
        JsonReader.elements(array).forEach(item -> out.raw(of.apply(item)));
        return out.endArray().toJson();
    }
}
