// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.handshake;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.Parsed;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Learns from a server's answer. Only requests that begin a connection are learned: their answer describes the server,
 * and is the same for equal requests while the server is the same.
 */
final class HandshakeLearner {
    private static final Set<String> METHODS = Set.of("initialize", "server/discover");
    private static final String OTHER_ID = "\"an-id-that-no-host-has\"";
    private static final JsonRpcCodec CODEC = new JsonRpcCodec(WireLimits.DEFAULT);

    private HandshakeLearner() {}

    /** The handshake of a request and its answer, both without a line end; empty where there is nothing to learn. */
    static Optional<KnownHandshake> of(String request, String answer) {
        if (!(message(request) instanceof JsonRpcMessage.Request asked)
                || !METHODS.contains(asked.method())
                || !(message(answer) instanceof JsonRpcMessage.Result told)
                || !told.id().equals(asked.id())) {
            return Optional.empty();
        }
        var id = new String(JsonRpcCodec.encode(asked.id()).bytes(), ISO_8859_1);
        var start = KnownHandshake.ANSWER_START + id;
        for (int at = request.indexOf(id); at >= 0; at = request.indexOf(id, at + 1)) {
            var before = request.substring(0, at);
            var after = request.substring(at + id.length());
            if (isAroundId(before, after, asked)) {
                return Optional.of(answer)
                        .filter(text -> text.startsWith(start))
                        .map(text -> new KnownHandshake(before, after, text.substring(start.length())))
                        .filter(known -> known.answerTo(request).isPresent());
            }
        }
        return Optional.empty();
    }

    /** Whether replacing the bytes between the parts of a request changes only the id. */
    private static boolean isAroundId(String before, String after, JsonRpcMessage.Request asked) {
        return message(before + OTHER_ID + after) instanceof JsonRpcMessage.Request(var id, var method, var params)
                && JsonRpcCodec.encode(id).toString().equals(OTHER_ID)
                && method.equals(asked.method())
                && params.equals(asked.params());
    }

    private static @Nullable JsonRpcMessage message(String line) {
        return CODEC.parse(line.getBytes(ISO_8859_1)) instanceof Parsed.Message read ? read.message() : null;
    }
}
