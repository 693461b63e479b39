// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonMembers;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Adds to raw results without binding them. */
public final class Splice {

    private Splice() {}

    /**
     * A result with more members, and with more in its {@code _meta}. Members of the result itself stay, but equal keys
     * of {@code _meta} are replaced.
     */
    public static Json into(Json result, Map<String, Json> members, Map<String, Json> meta) {
        var own = JsonReader.members(result);
        var writer = JsonWriter.object(result.size() + 256);
        members.forEach((name, value) -> {
            if (!own.has(name)) {
                writer.member(name, value);
            }
        });
        if (meta.isEmpty() || !own.has(Meta.META)) {
            writer.members(result);
        } else {
            writer.membersBut(Set.of(Meta.META), own);
        }
        return meta.isEmpty() ? writer.end() : merged(writer, own.object(Meta.META), meta);
    }

    /**
     * A result without what a generation adds to the message that carries it: members of the result, and keys of its
     * {@code _meta}. What is left is the same in every generation, and can be given to a client of another one.
     */
    public static Json without(Json result, Set<String> members, Set<String> meta) {
        var own = JsonReader.members(result);
        var said = own.object(Meta.META);
        var left = new HashSet<>(said.names());
        left.removeAll(meta);
        var unwanted = new HashSet<>(members);
        unwanted.add(Meta.META);
        var writer = JsonWriter.object(result.size()).membersBut(unwanted, own);
        if (!left.isEmpty()) {
            writer.name(Meta.META).beginObject().membersBut(meta, said).endObject();
        }
        return writer.end();
    }

    private static Json merged(JsonWriter writer, JsonMembers own, Map<String, Json> meta) {
        writer.name(Meta.META).beginObject().membersBut(meta.keySet(), own);
        meta.forEach((name, value) -> writer.member(name, value));
        return writer.endObject().end();
    }
}
