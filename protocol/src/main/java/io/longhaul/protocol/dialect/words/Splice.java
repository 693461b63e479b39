// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Adds to raw results without binding them. */
public final class Splice {

    private Splice() {}

    /**
     * A result with more members, and with more in its {@code _meta}. Members of the result itself stay, but equal keys
     * of {@code _meta} are replaced.
     */
    public static Json into(Json result, Map<String, Json> members, Map<String, Json> meta) {
        var own = JsonReader.members(result);
        var writer = new JsonWriter(result.size() + 256).beginObject();
        members.forEach((name, value) -> {
            if (!own.has(name)) {
                writer.name(name).raw(value);
            }
        });
        if (meta.isEmpty() || !own.has(Meta.META)) {
            writer.members(result);
        } else {
            writer.membersBut(Set.of(Meta.META), own);
        }
        return meta.isEmpty() ? writer.endObject().toJson() : merged(writer, own.get(Meta.META), meta);
    }

    private static Json merged(JsonWriter writer, @Nullable Json own, Map<String, Json> meta) {
        writer.name(Meta.META).beginObject();
        if (own != null && own.kind() == Json.Kind.OBJECT) {
            writer.membersBut(meta.keySet(), JsonReader.members(own));
        }
        meta.forEach((name, value) -> writer.name(name).raw(value));
        return writer.endObject().endObject().toJson();
    }
}
