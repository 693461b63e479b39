// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.receiver.plan.Answering;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.stream.Wait;

/** Answers calls in one way of {@link Answering}. Thread-safe. */
public interface AnsweringWay {

    /**
     * Answers a call whose task exists. Blocks until the call is answered.
     *
     * @param seq the last event of the task that the client knows
     */
    void answer(InboundRequest request, TaskCall call, Task task, long seq) throws Exception;

    /** Answers a call from the task of an earlier one; false where the call needs a task of its own. */
    default boolean answersAgain(InboundRequest request, TaskCall call) throws Exception {
        return false;
    }

    /** Answers a call whose stream broke off and is resumed; false where no call was answered in this way. */
    default boolean resumes(InboundRequest request, Wait wait) throws Exception {
        return false;
    }

    /** The answer that refuses a call. */
    default CallResponse refused(InboundRequest request, Refusal why) {
        return new CallResponse.Refused(why);
    }
}
