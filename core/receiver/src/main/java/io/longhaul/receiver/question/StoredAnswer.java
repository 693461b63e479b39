// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.question;

import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.RpcError;
import java.util.Optional;

/** The stored form of an answer to a question: the result as it came, or the error that came instead. */
public final class StoredAnswer {

    private static final String ERROR = "io.longhaul/error";

    private StoredAnswer() {}

    public static Payload ofResult(Json result) {
        return Payload.of(result.bytes());
    }

    public static Payload ofError(RpcError error) {
        var out = JsonWriter.object().name(ERROR).beginObject();
        out.member("code", error.code()).member("message", error.message());
        return Payload.of(out.endObject().end().bytes());
    }

    /** The error that came instead of a result. */
    public static Optional<RpcError> error(Payload stored) {
        Json error = JsonReader.members(Json.raw(stored.bytes())).get(ERROR);
        if (error == null) {
            return Optional.empty();
        }
        Params in = Params.of(ERROR, error);
        Long code = in.optionalInteger("code");
        return Optional.of(
                new RpcError(code == null ? RpcError.INTERNAL_ERROR : code.intValue(), in.string("message")));
    }
}
