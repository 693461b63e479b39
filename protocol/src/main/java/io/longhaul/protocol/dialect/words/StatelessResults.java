// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.RequestId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What every result of the stateless revision carries: its {@code resultType}, and in {@code _meta} which server gave
 * it. Immutable.
 */
public final class StatelessResults {

    private static final Map<String, Json> COMPLETE = Map.of("resultType", Json.raw("\"complete\""));

    private final Json server;

    /**
     * Results of one server.
     *
     * @param server what every result says of it
     */
    public StatelessResults(Json server) {
        this.server = server;
    }

    /** Begins a result that this revision's own method gives. */
    public JsonWriter begin(String resultType) {
        return new JsonWriter(512).beginObject().name("resultType").string(resultType);
    }

    /** Ends what {@link #begin} began. */
    public Json end(JsonWriter writer, Map<String, Json> meta) {
        var all = new LinkedHashMap<>(meta);
        all.put(Meta.SERVER_INFO, server);
        return Words.meta(writer, all);
    }

    /** A result that says no more than that all is done. */
    public Json done() {
        return end(begin("complete"), Map.of());
    }

    /** The end of the stream that {@code listen} opened. */
    public Json streamEnded(RequestId listen) {
        return end(begin("complete"), Map.of(Meta.SUBSCRIPTION_ID, JsonRpcCodec.encode(listen)));
    }

    /** A tool's own result, whole. */
    public Json complete(Json result) {
        return Splice.into(result, COMPLETE, Map.of(Meta.SERVER_INFO, server));
    }

    /** A tool's own result inside of another: some clients want its type there, too. */
    public static Json inner(Json result) {
        return Splice.into(result, COMPLETE, Map.of());
    }
}
