// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.ToolInfo;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.receiver.question.Asking;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.rounds.CarriedState;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.stream.Wait;
import io.longhaul.receiver.tool.ServedTool.Kind;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answers calls and wishes that only one draft knows. Thread-safe. */
public interface CallExtension {

    /** Whether this extension answers a call that is not a call of a long-running tool. */
    boolean handles(Call call);

    /**
     * Answers a call that this extension handles. Blocks until the call is answered.
     *
     * @param kind    of the called tool, or null where there is none
     * @param carried what the client brought from an earlier round, or null in the first
     */
    void answer(InboundRequest request, Call call, @Nullable Kind kind, @Nullable CarriedState carried)
            throws Exception;

    /** Whether this extension answers calls with this wish after their task was created. */
    default boolean handles(TaskWish wish) {
        return false;
    }

    /** How long the task of a call with such a wish is kept; null where the receiver decides that. */
    default @Nullable Retention retention(TaskWish wish, Kind.LongRunning tool) {
        return null;
    }

    /** Answers a call with such a wish, whose task exists. Blocks until the call is answered. */
    default void created(InboundRequest request, CallTool call, Kind.LongRunning tool, Task task) throws Exception {
        throw new IllegalStateException("no wish is handled");
    }

    /**
     * A plain call of a long-running tool, restated as a call with a wish.
     *
     * @param request the request as it is then answered
     * @param call    the call with the wish that this extension handles
     */
    record Restated(InboundRequest request, CallTool call) {}

    /** Restates a plain call of a long-running tool, for this extension to answer; empty where the call stays plain. */
    default Optional<Restated> restated(InboundRequest request, CallTool call, Kind.LongRunning tool) {
        return Optional.empty();
    }

    /** The answer to a call that lacks what this extension's clients must bring; empty where the call lacks nothing. */
    default Optional<CallResponse> missing(InboundRequest request, CallTool call, Kind.LongRunning tool) {
        return Optional.empty();
    }

    /** Answers a call with such a wish from the task of an earlier call; false where the call needs its own task. */
    default boolean answersAgain(InboundRequest request, CallTool call, Kind.LongRunning tool) throws Exception {
        return false;
    }

    /**
     * Answers a plain call whose stream broke off and is resumed. Blocks until the call is answered; false where this
     * extension has not answered the call before.
     */
    default boolean resumes(InboundRequest request, Wait wait) throws Exception {
        return false;
    }

    /** What the requestor of a call with such a wish can be asked. */
    default Asking asking(InboundRequest request) {
        return request.asking();
    }

    /**
     * The tools as the sender of a request sees them in the list.
     *
     * @param tools      one page of the list
     * @param isLastPage whether no other page follows
     */
    default List<ToolInfo> listed(InboundRequest request, List<ToolInfo> tools, boolean isLastPage) {
        return tools;
    }

    /** Whether a task goes on although its client gives up the request that waits for it. */
    default boolean outlives(Task task, Session session, Call.CancelRequest cancellation) {
        return false;
    }

    /** The answer that refuses a call with such a wish. */
    default CallResponse refused(InboundRequest request, Refusal why) {
        return new CallResponse.Refused(why);
    }
}
