// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.call;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.JsonWriter;
import java.util.ArrayList;
import java.util.List;

/** The pieces of output that a part of a result has: as a server of Longhaul has stored them, where it is one. */
public final class OutputPieces {

    private OutputPieces() {}

    /** Each text of a part that has only texts; the structured content where there is any; else the part as it came. */
    public static List<Json> of(Json result) {
        var part = JsonTree.read(result);
        if (part.has("structuredContent")) {
            return List.of(JsonTree.write(part.path("structuredContent")));
        }
        var pieces = new ArrayList<Json>();
        for (var content : part.path("content")) {
            if (!content.path("text").isString()) {
                return List.of(result);
            }
            pieces.add(JsonWriter.quote(content.path("text").stringValue()));
        }
        boolean isPlain = part.size() == (part.has("_meta") ? 2 : 1);
        return isPlain ? pieces : List.of(result);
    }
}
