// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.receiver.task.AwaitedAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An answer of which the result of the task counts as received once it was written. Used by one thread at a time. */
final class CountedAnswer implements AwaitedAnswer {

    /** What to do when a request is answered. */
    interface Count {
        /** Runs before the result of the task is written. */
        void sending();

        /** Runs after that, with whether the result was written without an error. */
        void sent(boolean isReceived);

        /** Runs before another answer is written: the request waits no longer. */
        void handsOver();
    }

    private final AwaitedAnswer answer;
    private final Count count;
    private @Nullable CallResponse result;

    CountedAnswer(AwaitedAnswer answer, Count count) {
        this.answer = answer;
        this.count = count;
    }

    @Override
    public Optional<CallResponse> before(Task task, TaskEvent event) {
        return answer.before(task, event);
    }

    @Override
    public Optional<CallResponse> current(Task task, boolean isTooLate) {
        var given = answer.current(task, isTooLate);
        if (task.state().isTerminal()) {
            result = given.orElse(null);
        }
        return given;
    }

    @Override
    public long told(Task task) {
        return answer.told(task);
    }

    @Override
    public CallResponse gone(Task task) {
        return answer.gone(task);
    }

    @Override
    public Instant until() {
        return answer.until();
    }

    @Override
    public @Nullable Duration hold() {
        return answer.hold();
    }

    @Override
    public void sending(CallResponse given) {
        if (given.equals(result)) {
            count.sending();
        } else {
            count.handsOver();
        }
    }

    @Override
    public void sent(CallResponse given, boolean isReceived) {
        if (given.equals(result)) {
            count.sent(isReceived);
        }
    }
}
