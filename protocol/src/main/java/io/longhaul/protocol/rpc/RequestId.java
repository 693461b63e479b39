package io.longhaul.protocol.rpc;

/** The id of a JSON-RPC request. {@code 1} and {@code "1"} are different ids. */
public sealed interface RequestId {

    record Text(String value) implements RequestId {}

    record Number(long value) implements RequestId {}
}
