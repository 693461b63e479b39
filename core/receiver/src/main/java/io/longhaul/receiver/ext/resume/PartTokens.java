// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.resume;

import io.longhaul.engine.task.Ending;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.plan.Answering;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.rounds.CallStates;
import io.longhaul.receiver.rounds.CarriedState;
import io.longhaul.receiver.tool.ServedTool.Parts;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes and opens tokens for the next part of a result. A token holds the task, the last event, the caller and the
 * call. It is sealed, so no process has to remember it.
 */
record PartTokens(Context context, CallStates states) {

    static final CallResponse UNKNOWN = new CallResponse.Refused(
            new Refusal.InvalidParams("resumeToken is not one that this server gave to you for this very call,"
                    + " or is too old: call again without it to begin anew"));

    /** The position that a token names: after an event of a task. */
    record Position(Task task, long told) {}

    /** A call for the next part, or for the first part where the call brings no token. */
    record PartRequest(InboundRequest request, CallTool call, Parts parts, Answering.NextPart asked) {

        @Nullable
        String token() {
            return asked.token();
        }

        boolean isFirst() {
            return token() == null;
        }
    }

    /** The position that the call's token names; empty for an expired token, and for one of another caller or call. */
    Optional<Position> open(PartRequest part) {
        return states.openPart(part.request(), part.call(), Objects.requireNonNull(part.token()))
                .flatMap(state -> context.engine()
                        .find(part.request().owner(), new TaskId(Objects.requireNonNull(state.task())))
                        .map(task -> new Position(task, state.told())));
    }

    /** A part with the token for the next part, at the place where the client sent its last token. */
    CallResponse.Part part(PartRequest part, Position position, Json result, boolean fresh) {
        String task = position.task().id().value();
        var state = CarriedState.ofTask(task, position.told());
        var token = states.sealPart(part.request(), part.call(), state, wanted(part.parts()));
        var life = promised(part.parts(), position.task());
        return new CallResponse.Part(result, token, part.asked().inMeta(), task, life, fresh);
    }

    /**
     * How long a token is surely valid: no longer than the task is kept if it ends now. While the task runs, the token
     * stays valid for its full time.
     */
    private Duration promised(Parts parts, Task task) {
        Instant now = context.now();
        Ending ending = task.ending();
        Retention retention = task.status().retention();
        Instant gone = ending == null ? retention.expiry(task.spec().createdAt(), now) : task.expiry();
        Duration kept = gone == null ? retention.duration() : Duration.between(now, gone);
        return kept.isNegative() ? Duration.ZERO : Collections.min(List.of(kept, wanted(parts)));
    }

    private Duration wanted(Parts parts) {
        return parts.lifeOr(context.rounds().tokenLife());
    }
}
