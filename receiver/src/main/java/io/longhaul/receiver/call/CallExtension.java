package io.longhaul.receiver.call;

import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.rounds.CarriedState;
import io.longhaul.receiver.tool.ServedTool.Kind;
import org.jspecify.annotations.Nullable;

/** Answers calls and wishes that only one draft knows. Thread-safe. */
public interface CallExtension {

    /** Whether this extension answers a call that is no call of a tool which begins work. */
    boolean handles(Call call);

    /**
     * Answers a call that this extension handles. Blocks until that is done.
     *
     * @param kind    of the tool that is called, or null where there is none
     * @param carried what the client brought from an earlier round, or null in the first one
     */
    void answer(InboundRequest request, Call call, @Nullable Kind kind, @Nullable CarriedState carried)
            throws Exception;

    /** Whether this extension answers calls with this wish when their task is there. */
    default boolean handles(TaskWish wish) {
        return false;
    }

    /** How long the task of a call with such a wish is kept; null where the receiver decides that. */
    default @Nullable Retention retention(TaskWish wish, Kind.@Nullable LongRunning tool) {
        return null;
    }

    /**
     * Answers a call with such a wish, whose task is there. Blocks until that is done.
     *
     * @param call  as its sender is answered
     * @param asked what it calls
     * @param tool  the tool that it calls, or null where it calls none that is long-running
     */
    default void created(
            InboundRequest request, Call call, Interactive asked, Kind.@Nullable LongRunning tool, Task task)
            throws Exception {
        throw new IllegalStateException("no wish is handled");
    }

    /** The answer to a call with such a wish that is refused. */
    default Answer refused(InboundRequest request, Refusal why) {
        return new Answer.Refused(why);
    }
}
