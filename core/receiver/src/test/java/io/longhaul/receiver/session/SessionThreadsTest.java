// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.receiver.ReceiverParts;
import io.longhaul.testkit.InterleavingContract;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;

/** A request of one session, which threads begin and end while others cancel it, also before it has come. */
@Param(name = "thread", gen = ThreadIdGen.class)
public class SessionThreadsTest extends InterleavingContract {

    private static final RequestId ID = new RequestId.Number(1);

    private final Session session = ReceiverParts.session("s", ReceiverParts.ANN);
    private final LiveCall[] calls = new LiveCall[5];
    private final AtomicInteger parts = new AtomicInteger();

    @Operation
    public boolean begin(@Param(name = "thread") int thread) {
        end(thread);
        calls[thread] = session.begin(ID, false).orElse(null);
        return calls[thread] != null;
    }

    @Operation
    public void end(@Param(name = "thread") int thread) {
        if (calls[thread] != null) {
            session.end(calls[thread]);
            calls[thread] = null;
        }
    }

    @Operation
    public void cancel() {
        session.cancel(ID, null);
    }

    @Operation
    public boolean isCancelled(@Param(name = "thread") int thread) {
        return calls[thread] != null && calls[thread].isCancelled();
    }

    /** One part is in use, whichever was made first. */
    @Operation
    public boolean part() {
        var mine = new Counted(parts.incrementAndGet());
        var used = session.part(Counted.class, () -> mine);
        return used.equals(session.part(Counted.class, () -> mine));
    }

    private record Counted(int number) implements Session.Part {}

    @Validate
    public void what_has_ended_is_not_kept() {
        for (int thread = 0; thread < calls.length; thread++) {
            end(thread);
        }
        require(session.live(ID).isEmpty(), "a call that has ended is live");
    }
}
