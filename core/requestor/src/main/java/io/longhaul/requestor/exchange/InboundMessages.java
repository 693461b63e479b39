// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.exchange;

import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.Parsed;
import java.util.ArrayList;
import java.util.List;

/** Reads the messages of a server: one, or several in an array. */
final class InboundMessages {

    private static final JsonRpcCodec CODEC = JsonRpcCodec.lenient();

    private InboundMessages() {}

    static List<JsonRpcMessage> read(byte[] text) throws UnusableMessageException {
        return switch (CODEC.parse(text)) {
            case Parsed.Message(var message) -> List.of(message);
            case Parsed.Broken(var error, var id) ->
                throw new UnusableMessageException(
                        "The server sent something that is no JSON-RPC 2.0 message: " + error.message() + ".");
            case Parsed.Batch(var elements) -> {
                var messages = new ArrayList<JsonRpcMessage>();
                for (var element : elements) {
                    messages.addAll(read(element.bytes()));
                }
                yield messages;
            }
        };
    }
}
