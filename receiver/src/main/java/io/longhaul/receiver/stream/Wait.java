// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.TaskWish;
import org.jspecify.annotations.Nullable;

/**
 * What a request that waits for a task wants.
 *
 * @param call     as it was asked
 * @param task     what it waits for
 * @param seq      the last event that its client was told of
 * @param isCall   whether it is the call of the task itself, rather than a request for the outcome
 * @param resumed  the event behind which the client goes on with a stream that broke, or null for a new request
 * @param survives whether the task goes on though the client closes the response
 */
public record Wait(
        Call call,
        Task task,
        long seq,
        boolean isCall,
        @Nullable EventId resumed,
        boolean survives) {

    boolean isResumed() {
        return resumed != null;
    }

    /** Whether what the client is told goes by what this request says, rather than the call of the task. */
    boolean isToldByItself() {
        return call instanceof CallTool && (!isCall || forPart() != null);
    }

    /** The call, where it is one for a part of the output, or null. */
    @Nullable
    CallTool forPart() {
        return call instanceof CallTool tool && tool.wish() instanceof TaskWish.NextPart ? tool : null;
    }
}
