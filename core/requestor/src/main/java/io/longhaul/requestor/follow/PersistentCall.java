// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.call.CallResult;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A call that is repeated after an "Internal error" (-32603), until the timeout for a server in trouble. Such an error
 * says nothing about the request.
 *
 * @param call     makes the call for each attempt
 * @param troubles takes troubles, one sentence each for the user
 * @param failing  what the server fails to do, such as "The server does not tell how the task stands"
 */
record PersistentCall(Requestor requestor, Supplier<OutgoingCall> call, Consumer<String> troubles, String failing) {

    static PersistentCall of(Requestor requestor, Call call, Consumer<String> troubles, String failing) {
        return new PersistentCall(requestor, () -> new OutgoingCall(call).onTrouble(troubles), troubles, failing);
    }

    CallResult end() throws InterruptedException {
        var backoff = requestor.settings().backoff();
        while (true) {
            var end = requestor.ask(call.get());
            if (!(end instanceof CallResult.Refused(var error)) || error.code() != RpcError.INTERNAL_ERROR) {
                return end;
            }
            var wait = backoff.next(Duration.ZERO);
            if (wait == null) {
                return end;
            }
            if (Thread.interrupted()) {
                throw new InterruptedException("the call is not wanted any more");
            }
            troubles.accept(failing + ": " + error.message());
            requestor.settings().time().pause(wait);
        }
    }
}
