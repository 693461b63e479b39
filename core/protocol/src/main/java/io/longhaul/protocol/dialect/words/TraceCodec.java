// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.call.Trace;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the trace context of a message. A malformed trace context is ignored, as W3C Trace Context requires.
 */
public final class TraceCodec {

    /** Version, trace, parent and flags; versions after 00 may have further fields, and there is no version ff. */
    private static final Pattern PARENT = Pattern.compile(
            "(?:00(?!.{54})|(?!00|ff)[0-9a-f]{2})(-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(?:-.*)?");

    private static final int LONGEST = 8_192;

    private TraceCodec() {}

    static Trace read(Params meta) {
        var parent = parent(meta);
        var baggage = text(meta, "baggage");
        return parent != null || baggage != null
                ? new Trace(parent, parent == null ? null : text(meta, "tracestate"), baggage)
                : Trace.NONE;
    }

    /** "Vendors MUST use these fields to construct the new `traceparent` [...] (in this specification it is `00`)." */
    private static @Nullable String parent(Params meta) {
        var fields = PARENT.matcher(Objects.requireNonNullElse(text(meta, "traceparent"), ""));
        return fields.matches() ? "00" + fields.group(1) : null;
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
