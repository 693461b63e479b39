// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.call;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.RemoteCall;
import io.longhaul.protocol.Guard;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** The call that a run of a long tool follows, so that another thread can stop the run at any moment. Thread-safe. */
public final class UpstreamCall {

    private final Guard guard = new Guard();
    private final CountDownLatch over = new CountDownLatch(1);
    private @Nullable RemoteCall<CallOutcome> call;
    private boolean stopped;

    /** Follows this call from now on. Where the attempt was stopped before, the call is cancelled. */
    void follow(RemoteCall<CallOutcome> next) {
        boolean isStopped = guard.get(() -> {
            call = next;
            return stopped;
        });
        if (isStopped) {
            next.cancel();
        }
    }

    /**
     * The run has returned, and may have left its call.
     *
     * @param onGone runs when no call is under way any longer
     */
    void end(Runnable onGone) {
        over.countDown();
        var last = guard.get(() -> Optional.ofNullable(call));
        last.ifPresentOrElse(left -> left.future().whenComplete((outcome, why) -> onGone.run()), onGone);
    }

    /** Cancels the call, waits until the run has returned, and gives how the call ended; empty where there was none. */
    Optional<CallOutcome> stop() throws InterruptedException {
        var current = guard.get(() -> {
            stopped = true;
            return Optional.ofNullable(call);
        });
        current.ifPresent(RemoteCall::cancel);
        over.await();
        var last = guard.get(() -> Optional.ofNullable(call));
        return last.isEmpty() ? Optional.empty() : Optional.of(last.get().await());
    }
}
