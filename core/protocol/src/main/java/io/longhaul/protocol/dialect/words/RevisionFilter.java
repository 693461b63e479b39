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

/**
 * Removes from definitions and results what a revision does not know yet. The input is as in the newest revision;
 * content that an older revision has in another form is rewritten. Immutable.
 */
public final class RevisionFilter {

    private final Set<String> unknownOfTools = new HashSet<>();
    private final Set<String> unknownOfOthers = new HashSet<>();
    private final Set<String> unknownOfServers = new HashSet<>();
    private final ContentRewriter contents;
    private final boolean anyOutput;

    public RevisionFilter(Revision revision) {
        contents = new ContentRewriter(revision);
        anyOutput = revision.has(Capability.ANY_STRUCTURED_RESULTS);
        if (!revision.has(Capability.ICONS)) {
            unknownOfOthers.add("icons");
            unknownOfServers.addAll(Set.of("description", "websiteUrl"));
        }
        if (!revision.has(Capability.TITLES)) {
            unknownOfOthers.addAll(Set.of("title", Meta.META));
        }
        if (!revision.has(Capability.STRUCTURED_RESULTS)) {
            unknownOfTools.add("outputSchema");
        }
        if (!revision.has(Capability.TOOL_ANNOTATIONS)) {
            unknownOfTools.add("annotations");
        }
        unknownOfTools.addAll(unknownOfOthers);
        unknownOfServers.addAll(unknownOfOthers);
    }

    /** A server as it describes itself. */
    public Json implementation(Json self) {
        return without(self, JsonReader.members(self), unknownOfServers);
    }

    /** A tool as it is listed. */
    public Json tool(Json definition) {
        if (anyOutput && unknownOfTools.isEmpty()) {
            return definition;
        }
        var members = JsonReader.members(definition);
        var output = members.get("outputSchema");
        var unknown = new HashSet<>(unknownOfTools);
        if (output != null && !anyOutput && !isOfObjects(output)) {
            unknown.add("outputSchema");
        }
        return without(definition, members, unknown);
    }

    /** A resource, template or prompt as it is listed. */
    public Json listed(Json definition) {
        if (unknownOfOthers.isEmpty()) {
            return definition;
        }
        var members = JsonReader.members(definition);
        var arguments = members.get("arguments");
        if (arguments == null || !unknownOfOthers.contains("title")) {
            return without(definition, members, unknownOfOthers);
        }
        var out = JsonWriter.object(definition.size());
        members.asMap().forEach((name, value) -> {
            if (name.equals("arguments")) {
                out.name(name).beginArray();
                JsonReader.elements(value).forEach(argument -> out.raw(listed(argument)));
                out.endArray();
            } else if (!unknownOfOthers.contains(name)) {
                out.member(name, value);
            }
        });
        return out.end();
    }

    /** The result of a tool. */
    public Json toolResult(Json result) {
        return contents.toolResult(result);
    }

    /** The result of a request of any kind; its members show the kind. */
    public Json result(Json result) {
        var members = JsonReader.members(result);
        var content = members.get("content");
        if (content != null && content.kind() == Json.Kind.ARRAY) {
            return toolResult(result);
        }
        return members.has("messages") ? promptResult(result) : result;
    }

    /** The result of a prompt. */
    public Json promptResult(Json result) {
        return contents.promptResult(result);
    }

    private static boolean isOfObjects(Json schema) {
        if (schema.kind() != Json.Kind.OBJECT) {
            return false;
        }
        var type = JsonReader.members(schema).get("type");
        return type != null && type.toString().equals("\"object\"");
    }

    private static Json without(Json object, JsonMembers members, Set<String> unknown) {
        if (unknown.stream().noneMatch(members::has)) {
            return object;
        }
        return JsonWriter.object(object.size()).membersBut(unknown, members).end();
    }
}
