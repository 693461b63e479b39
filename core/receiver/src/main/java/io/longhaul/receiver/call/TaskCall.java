// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Alias;
import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.receiver.plan.Answering;
import io.longhaul.receiver.plan.Plan;
import io.longhaul.receiver.stream.Wait;
import io.longhaul.receiver.tool.ServedTool.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A call that is answered from a durable task.
 *
 * @param work    of the engine
 * @param request as the task keeps it
 * @param call    the call that is answered
 * @param asked   the call itself
 * @param plan    how the call is carried out
 * @param tool    the tool that is called; null for any other request
 */
public record TaskCall(
        String work, Payload request, Call call, Interactive asked, Plan.Task plan, Kind.@Nullable LongRunning tool) {

    /**
     * The terms on which the call waits for its task.
     *
     * @param seq the last event that the client was told
     */
    public Wait terms(Task task, long seq) {
        return new Wait(call, task, seq, Wait.Kind.CALL, null, plan.leaving());
    }

    Answering answering() {
        return plan.answering();
    }

    @Nullable
    Alias alias() {
        return call.alias();
    }
}
