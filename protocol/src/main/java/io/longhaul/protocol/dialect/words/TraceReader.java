package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.call.Trace;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.Params;
import org.jspecify.annotations.Nullable;

/** Reads the trace of a request. What is not to the letter is no trace, as W3C Trace Context wants it. */
final class TraceReader {

    private static final String PARENT = "[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}";
    private static final int LONGEST = 8_192;

    private TraceReader() {}

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
}
