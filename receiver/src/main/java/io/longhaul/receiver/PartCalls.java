package io.longhaul.receiver;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.receiver.PartTokens.Place;
import io.longhaul.receiver.SealedState.State;
import io.longhaul.receiver.WaitingRequest.Wait;
import io.longhaul.receiver.tool.ServedTool.Kind;
import io.longhaul.receiver.tool.ServedTool.Parts;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Calls that take the output of a task part by part. What comes after an event never changes, so that a token that is
 * used twice gives the same output twice; the second time with what has come since.
 */
final class PartCalls {

    /** How long the first answer waits for the first part, at most. */
    static final Duration AT_ONCE = Duration.ofSeconds(3);

    /** How many calls of one caller may wait for parts at once. */
    static final int WAITING = 100;

    private static final String NO_SUCH_TOKEN = "resumeToken is not one that this server gave to you for this very"
            + " call, or is too old: call again without it to begin anew";

    private final Context context;
    private final TaskVerbs verbs;
    private final Deliveries deliveries;
    private final PartTokens tokens;
    private final Quota waiting = new Quota(WAITING);

    PartCalls(Context context, TaskVerbs verbs, Deliveries deliveries) {
        this.context = context;
        this.deliveries = deliveries;
        this.verbs = verbs;
        tokens = new PartTokens(context);
    }

    /** The call, where it is one for a part, or null. */
    static @Nullable CallTool isForPart(Call call) {
        return call instanceof CallTool tool && tool.wish() instanceof TaskWish.NextPart ? tool : null;
    }

    /** How long a task is kept after its end where nobody says so. */
    Duration keep(Parts parts) {
        return tokens.keep(parts);
    }

    /** The first answer to a call whose task was created: what a model may be told meanwhile, or the first part. */
    void first(Visit visit, Kind.Lasting tool, CallTool call, Task task) throws Exception {
        var immediate = tool.immediate().of(call.arguments());
        if (immediate != null) {
            var said = PartWords.immediate(immediate);
            visit.reply().answer(call, tokens.part(visit, call, tool.parts(), new Place(task, 0), said, true));
            return;
        }
        var wait = wait(tool.parts());
        answer(visit, call, new From(tool.parts(), new Place(task, 0), wait.compareTo(AT_ONCE) < 0 ? wait : AT_ONCE));
    }

    /**
     * What comes after a token.
     *
     * @param kind    of the tool, or null where it is offered no more; its tasks are there all the same
     * @param carried what the client brought from a round of this call in which it was asked, or null
     */
    void next(Visit visit, @Nullable Kind kind, CallTool call, String token, @Nullable State carried) throws Exception {
        Parts parts = kind instanceof Kind.Lasting lasting ? lasting.parts() : Parts.DEFAULT;
        var place = tokens.open(visit, call, token);
        if (place.isEmpty()) {
            refuse(visit, call, new Refusal.InvalidParams(NO_SUCH_TOKEN));
            return;
        }
        Task task = place.get().task();
        var problem = carried == null ? null : problem(task, carried, call);
        if (problem != null) {
            refuse(visit, call, new Refusal.InvalidParams(problem));
            return;
        }
        if (carried != null) {
            verbs.answer(visit.owner(), task, call.retry().responses());
        }
        answer(visit, call, new From(parts, place.get(), wait(parts)));
    }

    private static @Nullable String problem(Task task, State carried, CallTool call) {
        return task.id().value().equals(carried.task())
                ? TaskVerbs.problem(task.outstanding(), call.retry().responses())
                        .orElse(null)
                : "params.requestState is of another call than params.resumeToken";
    }

    /**
     * Where to go on.
     *
     * @param patience how long to wait for the next part
     */
    private record From(Parts parts, Place place, Duration patience) {

        /** Whether nothing was told yet. */
        boolean first(CallTool call) {
            return !(call.wish() instanceof TaskWish.NextPart wish) || wish.token() == null;
        }
    }

    private void answer(Visit visit, CallTool call, From from) throws Exception {
        if (!waiting.enter(visit.share())) {
            refuse(visit, call, new Refusal.LimitReached("calls that wait for the next part", WAITING));
            return;
        }
        Task task = from.place().task();
        Instant until = context.now().plus(from.patience());
        var part = new PartResponse.Part(
                from.first(call),
                until,
                (place, result, fresh) -> tokens.part(visit, call, from.parts(), place, result, fresh));
        var next = LastingCalls.nextRound(context, visit, call, task);
        var outcome = Response.outcome(context, call, TaskNames.related(visit, call, task), next);
        var gone = new Answer.Refused(new Refusal.InvalidParams(NO_SUCH_TOKEN));
        var response = new PartResponse(context, from.place(), part, outcome, gone);
        try {
            var wait = new Wait(call, task, from.place().told(), true, false, survives(call, from.first(call)));
            deliveries.await(visit, wait, response);
        } finally {
            waiting.leave(visit.share());
        }
    }

    /**
     * A client that has a token, or a key for the same call, comes back with it. One that has neither has given up its
     * work where closing the response of a call says so.
     */
    private static boolean survives(CallTool call, boolean first) {
        return !first || call.extras().creationKey() != null;
    }

    private Duration wait(Parts parts) {
        return parts.patience() == null ? context.rounds().partWait() : parts.patience();
    }

    private static void refuse(Visit visit, Call call, Refusal why) {
        visit.reply().answer(call, new Answer.Refused(why));
    }
}
