// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.call.Trace;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the trace context of a message. A malformed trace context is ignored, as W3C Trace Context requires.
 */
public final class TraceWords {

    private static final String PARENT = "[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}";
    private static final int LONGEST = 8_192;

    private TraceWords() {}

    static Trace read(Params meta) {
        var parent = text(meta, "traceparent");
        var traced = parent != null && parent.matches(PARENT);
        var baggage = text(meta, "baggage");
        return traced || baggage != null
                ? new Trace(traced ? parent : null, traced ? text(meta, "tracestate") : null, baggage)
                : Trace.NONE;
    }

    private static @Nullable String text(Params meta, String name) {
        var value = meta.get(name);
        return value == null || value.kind() != Json.Kind.STRING || value.size() > LONGEST
                ? null
                : JsonReader.text(value);
    }

    /** The trace as members of {@code _meta}; none where there is no trace. */
    public static Map<String, Json> meta(Trace trace) {
        Map<String, Json> meta = new LinkedHashMap<>();
        put(meta, "traceparent", trace.parent());
        put(meta, "tracestate", trace.state());
        put(meta, "baggage", trace.baggage());
        return meta;
    }

    private static void put(Map<String, Json> meta, String name, @Nullable String value) {
        if (value != null) {
            meta.put(name, JsonWriter.quote(value));
        }
    }
}
