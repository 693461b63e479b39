// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.json.Json;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The terms on which a request waits for a task.
 *
 * @param call     the call of the request
 * @param task     the task that the request waits for
 * @param seq      the last event that the client was told
 * @param isCall   whether the request is the call of the task itself, rather than a request for the outcome
 * @param resumed  the event after which the client resumes a broken stream, or null for a new request
 * @param survives whether the task goes on although the client closes the response
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

    /** The call, where it asks for a part of the output, or null. */
    @Nullable
    CallTool forPart() {
        return call instanceof CallTool tool && tool.wish() instanceof TaskWish.NextPart ? tool : null;
    }
}
