// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fuzz;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.Parsed;

/**
 * Input: one JSON-RPC message, or several in an array. What is taken is written on one line and read again as the same,
 * a client takes what a server takes, and what is not taken is answered with a reason.
 */
final class JsonRpcTarget implements Target {

    private final JsonRpcCodec server = new JsonRpcCodec(WireLimits.DEFAULT);
    private final JsonRpcCodec client = JsonRpcCodec.lenient();

    @Override
    public void feed(byte[] input) {
        var strict = server.parse(input);
        var lenient = client.parse(input);
        check(strict, server);
        check(lenient, client);
        if (strict instanceof Parsed.Message(JsonRpcMessage message)) {
            Target.require(strict.equals(lenient), "a client reads %s as %s", message, lenient);
        }
    }

    private static void check(Parsed parsed, JsonRpcCodec codec) {
        switch (parsed) {
            case Parsed.Message(JsonRpcMessage message) -> {
                var written = JsonRpcCodec.encode(message);
                var line = written.toString();
                Target.require(line.indexOf('\n') < 0 && line.indexOf('\r') < 0, "more than one line: %s", line);
                var again = codec.parse(written.bytes());
                Target.require(parsed.equals(again) || isUnnamed(message), "%s is read again as %s", parsed, again);
            }
            case Parsed.Batch(var messages) -> messages.forEach(message -> checkItem(message, codec));
            case Parsed.Broken(var error, var id) -> {
                Target.require(!error.message().isBlank(), "no reason");
                JsonTree.read(JsonRpcCodec.encode(new JsonRpcMessage.Failure(id, error)));
            }
        }
    }

    /** What a client makes of an answer to no request is no message that a server sends. */
    private static boolean isUnnamed(JsonRpcMessage message) {
        return message instanceof JsonRpcMessage.Failure(var id, var error) && id == null && error != null;
    }

    private static void checkItem(Json message, JsonRpcCodec codec) {
        var item = codec.parse(message.bytes());
        if (!(item instanceof Parsed.Batch)) {
            check(item, codec);
        }
    }
}
