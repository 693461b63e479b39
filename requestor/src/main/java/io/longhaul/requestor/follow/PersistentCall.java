// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.call.CallEnd;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A call that is repeated after an "Internal error" (-32603), which says nothing of what was asked, for as long as a
 * server may be in trouble.
 *
 * @param call     makes each try
 * @param troubles takes what is in the way, one sentence each for the user
 * @param failing  what the server does not do, such as "The server does not tell how the task stands"
 */
record PersistentCall(Requestor requestor, Supplier<OutgoingCall> call, Consumer<String> troubles, String failing) {

    static PersistentCall of(Requestor requestor, Call call, Consumer<String> troubles, String failing) {
        return new PersistentCall(requestor, () -> new OutgoingCall(call).onTrouble(troubles), troubles, failing);
    }

    CallEnd end() throws InterruptedException {
        var backoff = requestor.settings().backoff();
        while (true) {
            var end = requestor.ask(call.get());
            if (!(end instanceof CallEnd.Refused(var error)) || error.code() != RpcError.INTERNAL_ERROR) {
                return end;
            }
            var wait = backoff.next(Duration.ZERO);
            if (wait == null) {
                return end;
            }
            troubles.accept(failing + ": " + error.message());
            requestor.settings().time().pause(wait);
        }
    }
}
