// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.RequestId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Writes the results of the stateless revision, each with its {@code resultType}, and with the server in {@code _meta}.
 * Immutable.
 */
public final class StatelessResults {

    private static final Map<String, Json> COMPLETE = Map.of("resultType", Json.raw("\"complete\""));

    private final Json server;

    /**
     * Results of one server.
     *
     * @param server the description of the server in every result
     */
    public StatelessResults(Json server) {
        this.server = server;
    }

    /** Begins the result of a method of this revision. */
    public JsonWriter begin(String resultType) {
        return JsonWriter.object(512).member("resultType", resultType);
    }

    /** Ends what {@link #begin} began. */
    public Json end(JsonWriter writer, Map<String, Json> meta) {
        var all = new LinkedHashMap<>(meta);
        all.put(Meta.SERVER_INFO, server);
        return MessageWriter.meta(writer, all);
    }

    /** A result without a value. */
    public Json done() {
        return end(begin("complete"), Map.of());
    }

    /** The end of the stream that {@code listen} opened. */
    public Json streamEnded(RequestId listen) {
        return end(begin("complete"), Map.of(Meta.SUBSCRIPTION_ID, JsonRpcCodec.encode(listen)));
    }

    /** The complete result of a tool. */
    public Json complete(Json result) {
        return Splice.into(result, COMPLETE, Map.of(Meta.SERVER_INFO, server));
    }

    /** The result that a server has sent, without what this class adds. */
    public static Json bare(Json result) {
        return Splice.without(result, COMPLETE.keySet(), Set.of(Meta.SERVER_INFO));
    }

    /** The result of a tool inside of another result: some clients require its type there, too. */
    public static Json inner(Json result) {
        return Splice.into(result, COMPLETE, Map.of());
    }
}
