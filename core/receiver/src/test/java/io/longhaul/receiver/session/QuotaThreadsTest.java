// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.Share;
import io.longhaul.testkit.ThreadsContract;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;

/** Two places of one caller, whatever threads begin and end its calls. */
@Param(name = "thread", gen = ThreadIdGen.class)
public class QuotaThreadsTest extends ThreadsContract {

    private static final Share ANN = new Share("ann");

    private final Quota quota = new Quota(2);
    private final LiveCall[] calls = new LiveCall[5];

    /** A call of this thread, in place of the one before, which keeps its place for ever. */
    @Operation
    public boolean begin(@Param(name = "thread") int thread) {
        calls[thread] = new LiveCall(new RequestId.Number(thread), false);
        return quota.acquire(ANN, calls[thread]);
    }

    @Operation
    public void end(@Param(name = "thread") int thread) {
        if (calls[thread] != null) {
            calls[thread].ended().complete(null);
        }
    }
}
