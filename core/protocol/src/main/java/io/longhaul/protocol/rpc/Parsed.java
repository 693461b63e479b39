// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.rpc;

import io.longhaul.protocol.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of parsing bytes: a message, a batch, or a fault. */
public sealed interface Parsed {

    /** One message. */
    record Message(JsonRpcMessage message) implements Parsed {}

    /**
     * Several messages in an array.
     *
     * @param messages the messages as they arrived, not parsed yet
     */
    record Batch(List<Json> messages) implements Parsed {
        public Batch {
            messages = List.copyOf(messages);
        }
    }

    /**
     * No message.
     *
     * @param error the error for the sender
     * @param id    the id of the broken request, or null where there is no id or it could not be read
     */
    record Broken(RpcError error, @Nullable RequestId id) implements Parsed {}
}
