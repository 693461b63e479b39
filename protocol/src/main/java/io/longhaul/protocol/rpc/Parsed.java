package io.longhaul.protocol.rpc;

import org.jspecify.annotations.Nullable;

/** What some bytes turned out to be. */
public sealed interface Parsed {

    /** One message. */
    record Message(JsonRpcMessage message) implements Parsed {}

    /** Several messages in an array. No revision that we speak needs them, and whoever receives one refuses it. */
    record Batch() implements Parsed {}

    /**
     * No message.
     *
     * @param error what to tell the sender
     * @param id    of the request that it was to be, or null where there is none or it could not be read
     */
    record Broken(RpcError error, @Nullable RequestId id) implements Parsed {}
}
