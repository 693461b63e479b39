// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Requests of the server that wait for the response of one client. */
public final class PendingRequests implements Session.Part {

    private final ConcurrentHashMap<RequestId, CompletableFuture<JsonRpcMessage>> waiting = new ConcurrentHashMap<>();
    private volatile boolean closed;

    public CompletableFuture<JsonRpcMessage> expect(RequestId id) {
        var response = new CompletableFuture<JsonRpcMessage>();
        waiting.put(id, response);
        if (closed) {
            response.cancel(false);
        }
        return response;
    }

    public void forget(RequestId id) {
        waiting.remove(id);
    }

    /** Hands a response over, and says whether a thread waits for it. */
    public boolean complete(RequestId id, JsonRpcMessage response) {
        var waiter = waiting.remove(id);
        return waiter != null && waiter.complete(response);
    }

    @Override
    public void close() {
        closed = true;
        waiting.values().forEach(waiter -> waiter.cancel(false));
        waiting.clear();
    }
}
