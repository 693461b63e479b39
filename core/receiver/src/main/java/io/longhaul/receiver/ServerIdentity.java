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
 * @param self         name, version and other descriptions of the server, in the words of the newest generation
 * @param instructions for a model, or null
 * @param lists        how long the lists of the server may be cached
 * @param extensions   settings of its extensions by their ids
 */
public record ServerIdentity(Json self, @Nullable String instructions, Freshness lists, Map<String, Json> extensions) {

    private static final List<String> BRIEF = List.of("name", "title", "version");

    public ServerIdentity {
        extensions = Collections.unmodifiableMap(new LinkedHashMap<>(extensions));
    }

    /** The part of {@link #self} that goes with every result. Pictures and long texts are only in the full answer. */
    public Json brief() {
        var all = JsonReader.members(self).asMap();
        var out = JsonWriter.object();
        for (String name : BRIEF) {
            out.optional(name, all.get(name));
        }
        return out.end();
    }
}
