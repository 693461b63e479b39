// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.dialect.Revision.Capability;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonMembers;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import org.jspecify.annotations.Nullable;

/** Rewrites content for an older revision: sound becomes an embedded resource, and a link a line of text. */
final class ContentRewriter {

    private final boolean sound;
    private final boolean links;
    private final boolean structured;
    private final boolean anyStructured;

    ContentRewriter(Revision revision) {
        sound = revision.has(Capability.AUDIO);
        links = revision.has(Capability.RESOURCE_LINKS);
        structured = revision.has(Capability.STRUCTURED_RESULTS);
        anyStructured = revision.has(Capability.ANY_STRUCTURED_RESULTS);
    }

    Json toolResult(Json result) {
        if (links && anyStructured) {
            return result;
        }
        var members = JsonReader.members(result);
        var value = members.get("structuredContent");
        boolean keeps = value == null || structured && (anyStructured || value.kind() == Json.Kind.OBJECT);
        if (keeps && links) {
            return result;
        }
        var out = JsonWriter.object(result.size());
        members.asMap().forEach((name, member) -> {
            if (name.equals("content") && member.kind() == Json.Kind.ARRAY) {
                out.name(name).beginArray();
                JsonReader.elements(member).forEach(item -> out.raw(item(item)));
                out.endArray();
            } else if (keeps || !name.equals("structuredContent")) {
                out.member(name, member);
            }
        });
        return out.end();
    }

    Json promptResult(Json result) {
        if (links) {
            return result;
        }
        var out = JsonWriter.object(result.size());
        JsonReader.members(result).asMap().forEach((name, member) -> {
            out.name(name);
            if (name.equals("messages")) {
                out.beginArray();
                JsonReader.elements(member).forEach(message -> out.raw(message(message)));
                out.endArray();
            } else {
                out.raw(member);
            }
        });
        return out.end();
    }

    private Json message(Json message) {
        var out = JsonWriter.object(message.size());
        JsonReader.members(message)
                .asMap()
                .forEach((name, value) -> out.member(name, name.equals("content") ? item(value) : value));
        return out.end();
    }

    private Json item(Json item) {
        if (links || item.kind() != Json.Kind.OBJECT) {
            return item;
        }
        var members = JsonReader.members(item);
        return switch (String.valueOf(text(members, "type"))) {
            case "audio" -> sound ? item : embedded(members);
            case "resource_link" -> line(members);
            default -> item;
        };
    }

    private static Json embedded(JsonMembers audio) {
        return JsonWriter.object(256)
                .member("type", "resource")
                .name("resource")
                .beginObject()
                .member("uri", "urn:longhaul:audio")
                .optional("mimeType", audio.get("mimeType"))
                .optional("blob", audio.get("data"))
                .endObject()
                .optional("annotations", audio.get("annotations"))
                .end();
    }

    private static Json line(JsonMembers link) {
        var title = text(link, "title");
        var description = text(link, "description");
        var words = (title == null ? text(link, "name") : title) + ": " + text(link, "uri");
        return JsonWriter.object(256)
                .member("type", "text")
                .member("text", description == null ? words : words + " (" + description + ")")
                .optional("annotations", link.get("annotations"))
                .end();
    }

    private static @Nullable String text(JsonMembers members, String name) {
        var value = members.get(name);
        return value == null || value.kind() != Json.Kind.STRING ? null : JsonReader.text(value);
    }
}
