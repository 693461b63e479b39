package io.longhaul.requestor;

import io.longhaul.protocol.rpc.JsonRpcMessage;
import org.jspecify.annotations.Nullable;

/** What takes the messages that are no responses. Must not block. */
interface Incoming {

    /** @param on the request on whose own stream it came, or null where that cannot be known */
    void notification(JsonRpcMessage.Notification notification, @Nullable Sent on);

    void request(JsonRpcMessage.Request request);
}
