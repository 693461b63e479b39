// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.testkit.InterleavingContract;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;

/** The requests of a server to one client, whatever threads ask, answer and close. */
@Param(name = "id", gen = IntGen.class, conf = "1:2")
public class PendingRequestsThreadsTest extends InterleavingContract {

    private final PendingRequests pending = new PendingRequests();
    private final Map<Integer, CompletableFuture<JsonRpcMessage>> responses = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private static RequestId id(int id) {
        return new RequestId.Number(id);
    }

    /** Each id once, as the server gives them. */
    @Operation
    public void expect(@Param(name = "id") int id) {
        responses.computeIfAbsent(id, once -> pending.expect(id(once)));
    }

    @Operation
    public void complete(@Param(name = "id") int id) {
        pending.complete(id(id), new JsonRpcMessage.Result(id(id), Json.EMPTY_OBJECT));
    }

    @Operation
    public void close() {
        pending.close();
        closed = true;
    }

    @Validate
    public void no_thread_waits_for_a_client_that_is_gone() {
        if (closed) {
            responses.forEach((id, response) -> require(response.isDone(), "request " + id + " waits for ever"));
        }
    }
}
