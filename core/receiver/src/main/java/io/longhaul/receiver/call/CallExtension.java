// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.ToolInfo;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.receiver.plan.Answering;
import io.longhaul.receiver.plan.Sender.Host;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.rounds.CarriedState;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.stream.Wait;
import io.longhaul.receiver.tool.ServedTool.Kind;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answers calls that only one draft knows, and calls in ways that only one draft knows. Thread-safe. */
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

    /** Whether this extension answers calls in this way after their task was created. */
    default boolean handles(Answering answering) {
        return false;
    }

    /** The request as its call is answered in such a way. */
    default InboundRequest speaking(InboundRequest request) {
        return request;
    }

    /** Answers a call in such a way, whose task exists. Blocks until the call is answered. */
    default void created(InboundRequest request, CallTool call, Answering answering, Kind.LongRunning tool, Task task)
            throws Exception {
        throw new IllegalStateException("no way to answer is handled");
    }

    /** How long the program waits that sent a plain call of a long-running tool. */
    default Host host(InboundRequest request, CallTool call) {
        return Host.WAITS;
    }

    /** Whether the sender of a request can be answered part by part. */
    default boolean takesParts(InboundRequest request) {
        return false;
    }

    /**
     * The answer to a call without a wish for a task that lacks what this extension's clients must bring; empty where
     * the call lacks nothing.
     */
    default Optional<CallResponse> missing(InboundRequest request, CallTool call, Kind.LongRunning tool) {
        return Optional.empty();
    }

    /** Answers a call in such a way from the task of an earlier call; false where the call needs its own task. */
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

    /** The answer that refuses a call that would be answered in such a way. */
    default CallResponse refused(InboundRequest request, Refusal why) {
        return new CallResponse.Refused(why);
    }
}
