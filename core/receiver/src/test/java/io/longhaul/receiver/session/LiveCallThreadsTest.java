// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.receiver.plan.Left;
import io.longhaul.testkit.ThreadsContract;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/** One request, whatever threads give it up for whatever reason. */
public class LiveCallThreadsTest extends ThreadsContract {

    private final LiveCall call = new LiveCall(new RequestId.Number(1), false);
    private final AtomicInteger added = new AtomicInteger();
    private final AtomicInteger run = new AtomicInteger();

    @Operation
    public boolean cancel() {
        return call.leave(Left.CANCELLED);
    }

    @Operation
    public void stop() {
        call.leave(Left.STOPPED);
    }

    @Operation
    public void timeOut() {
        call.leave(Left.TIMED_OUT);
    }

    @Operation
    public String phase() {
        return call.isCancelled() ? "cancelled" : call.is(Left.TIMED_OUT) ? "timed out" : "not cancelled";
    }

    @Operation
    public void whenOver() {
        added.incrementAndGet();
        call.whenOver(run::incrementAndGet);
    }

    @Validate
    public void each_action_is_run_once_when_the_call_is_over() {
        int expected = call.isOver() ? added.get() : 0;
        require(run.get() == expected, run + " actions were run in place of " + expected);
        require(call.isOver() == call.ended().isDone(), "the end was not told");
    }
}
