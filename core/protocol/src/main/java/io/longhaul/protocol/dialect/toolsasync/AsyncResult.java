// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.toolsasync;

import io.longhaul.protocol.call.CallResponse.Ticket;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the results of this draft. */
final class AsyncResult {

    /** "This MUST only be set in response to a GetToolAsyncResultRequest where timeout is set". */
    static final Json PENDING = Json.raw("{\"content\":[],\"isPending\":true}");

    private AsyncResult() {}

    /** "The server SHOULD report the received time in unix time", for which the draft names no place. */
    static Json accepted(String token, long keepAlive, Instant received) {
        var writer = JsonWriter.object().member("accepted", true);
        writer.member("token", token).member("keepAlive", keepAlive);
        return received(writer, received);
    }

    /** "if so the token MUST be set" */
    static Json rejected(@Nullable Ticket ticket, Instant received) {
        var writer = JsonWriter.object().member("accepted", false);
        if (ticket != null) {
            writer.member("token", ticket.id());
            writer.member("keepAlive", ticket.keep().toSeconds());
        }
        return received(writer, received);
    }

    private static Json received(JsonWriter writer, Instant received) {
        var seconds = new JsonWriter().number(received.getEpochSecond()).toJson();
        return MessageWriter.meta(writer, Map.of(Meta.RECEIVED, seconds));
    }
}
