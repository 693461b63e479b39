// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver;

import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a server says of itself.
 *
 * @param self         its name, version and what else describes it, in the words of the newest generation
 * @param instructions for a model, or null
 * @param lists        how long its lists may be kept
 * @param extensions   settings of its extensions by their ids
 */
public record ServerIdentity(Json self, @Nullable String instructions, Freshness lists, Map<String, Json> extensions) {

    private static final List<String> BRIEF = List.of("name", "title", "version");

    public ServerIdentity {
        extensions = Collections.unmodifiableMap(new LinkedHashMap<>(extensions));
    }

    /** What every result says of it: pictures and long texts are told once, when it is asked who it is. */
    public Json brief() {
        var all = JsonReader.members(self).asMap();
        var out = new JsonWriter().beginObject();
        for (String name : BRIEF) {
            out.optional(name, all.get(name));
        }
        return out.endObject().toJson();
    }
}
