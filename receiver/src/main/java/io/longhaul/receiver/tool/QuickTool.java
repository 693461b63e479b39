package io.longhaul.receiver.tool;

import io.longhaul.protocol.json.Json;

/** A tool that answers at once. Thread-safe: many calls run at the same time. */
@FunctionalInterface
public interface QuickTool {

    /**
     * What answers one call of it, blocking its virtual thread, which is interrupted when the call is cancelled. What
     * it throws but {@link RpcException} goes to the log, and the caller gets an internal error.
     */
    QuickHandler handler(Json arguments);
}
