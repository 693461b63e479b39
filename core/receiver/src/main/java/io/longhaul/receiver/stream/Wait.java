// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.plan.Leaving;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The terms on which a request waits for a task.
 *
 * @param call     the call of the request
 * @param task     the task that the request waits for
 * @param seq      the last event that the client was told
 * @param kind     what the request is
 * @param resumed  the event after which the client resumes a broken stream, or null for a new request
 * @param leaving  what becomes of the task when the client leaves
 */
public record Wait(
        Call call, Task task, long seq, Kind kind, @Nullable EventId resumed, Leaving leaving) {

    /** The terms of a request for the outcome, which ends nothing when its client leaves. */
    public static Wait ofOutcome(Call call, Task task) {
        return new Wait(call, task, task.position().lastEvent(), Kind.OUTCOME, null, Leaving.NOTHING);
    }

    /** What a request is that waits for a task. */
    public enum Kind {
        /** A request for the outcome. */
        OUTCOME,
        /** The call of the task itself. */
        CALL,
        /** A call for the next part of the output. */
        PART
    }

    /** These terms, where something else becomes of the task when the client leaves. */
    public Wait when(Leaving left) {
        return new Wait(call, task, seq, kind, resumed, left);
    }

    /** Whether the request is a call of the task itself, rather than a request for the outcome. */
    boolean isCall() {
        return kind != Kind.OUTCOME;
    }

    boolean isPart() {
        return kind == Kind.PART;
    }

    boolean isResumed() {
        return resumed != null;
    }

    /**
     * The progress token of this request. A request about the task of its session is told under the token of the
     * session: "The progressToken provided in the original request MUST continue to be used for progress notifications
     * throughout the task's lifetime."
     *
     * @param ofSession gives that token, or null
     */
    @Nullable
    Json token(Supplier<@Nullable Json> ofSession) {
        var session = call instanceof Call.AboutTask ? ofSession.get() : null;
        return session == null ? call.extras().progressToken() : session;
    }
}
