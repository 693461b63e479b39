// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.resume;

import io.longhaul.engine.task.Ending;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.Context;
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
 * Tokens for the next part of a result. A token says of which task, up to which event, for whom and for which call, and
 * is sealed: no process has to remember it.
 */
record PartTokens(Context context, CallStates states) {

    static final Answer UNKNOWN = new Answer.Refused(
            new Refusal.InvalidParams("resumeToken is not one that this server gave to you for this very call,"
                    + " or is too old: call again without it to begin anew"));

    /** Where a token goes on: behind an event of a task. */
    record Place(Task task, long told) {}

    /** A call for the next part; for the first one where it brings no token. */
    record PartRequest(InboundRequest request, CallTool call, Parts parts) {

        @Nullable
        String token() {
            return call.wish() instanceof TaskWish.NextPart next ? next.token() : null;
        }

        boolean isFirst() {
            return token() == null;
        }
    }

    /** Where the call goes on; empty for a token of another caller or call, and for one that is too old. */
    Optional<Place> open(PartRequest part) {
        return states.openPart(part.request(), part.call(), Objects.requireNonNull(part.token()))
                .flatMap(state -> context.engine()
                        .find(part.request().owner(), new TaskId(Objects.requireNonNull(state.task())))
                        .map(task -> new Place(task, state.told())));
    }

    /** A part, with the token for what comes behind it, which stands where the client has put the one before. */
    Answer.Part part(PartRequest part, Place place, Json result, boolean fresh) {
        String task = place.task().id().value();
        var state = CarriedState.ofTask(task, place.told());
        var token = states.sealPart(part.request(), part.call(), state, wanted(part.parts()));
        boolean beside = part.call().wish() instanceof TaskWish.NextPart before && before.inMeta();
        var next = new TaskWish.NextPart(token, beside, task);
        return new Answer.Part(result, next, promised(part.parts(), place.task()), fresh);
    }

    /**
     * How long a task is kept after its end where neither caller nor author says so: as long as the last token while it
     * ran.
     */
    Duration keep(Parts parts) {
        var limits = context.engine().limits();
        return limits.held(Collections.max(List.of(wanted(parts), limits.defaultRetention())));
    }

    /**
     * For how long a token is good whatever happens: no longer than its task is kept if it ends now. While the task
     * runs, the token stays good for all of its time.
     */
    private Duration promised(Parts parts, Task task) {
        Instant now = context.now();
        Ending ending = task.ending();
        Retention retention = task.status().retention();
        Instant gone = ending == null
                ? retention.expiry(task.spec().createdAt(), now)
                : context.engine().expiry(task);
        Duration kept = gone == null ? retention.duration() : Duration.between(now, gone);
        return kept.isNegative() ? Duration.ZERO : Collections.min(List.of(kept, wanted(parts)));
    }

    private Duration wanted(Parts parts) {
        return parts.life() == null ? context.rounds().tokenLife() : parts.life();
    }
}
