// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.rpc;

import io.longhaul.protocol.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What some bytes turned out to be. */
public sealed interface Parsed {

    /** One message. */
    record Message(JsonRpcMessage message) implements Parsed {}

    /**
     * Several messages in an array.
     *
     * @param messages as they came; none of them was read yet
     */
    record Batch(List<Json> messages) implements Parsed {
        public Batch {
            messages = List.copyOf(messages);
        }
    }

    /**
     * No message.
     *
     * @param error what to tell the sender
     * @param id    of the request that it was to be, or null where there is none or it could not be read
     */
    record Broken(RpcError error, @Nullable RequestId id) implements Parsed {}
}
