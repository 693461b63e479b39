package io.longhaul.receiver.ext.resume;

import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.call.CallExtension;
import io.longhaul.receiver.call.CallServices;
import io.longhaul.receiver.ext.resume.PartTokens.Place;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.rounds.CallStates;
import io.longhaul.receiver.rounds.CarriedState;
import io.longhaul.receiver.session.Quota;
import io.longhaul.receiver.stream.AwaitedAnswer;
import io.longhaul.receiver.stream.Deliveries;
import io.longhaul.receiver.stream.WaitingRequest.Wait;
import io.longhaul.receiver.task.TaskVerbs;
import io.longhaul.receiver.tool.ServedTool.Kind;
import io.longhaul.receiver.tool.ServedTool.Parts;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Calls that take the output of a task part by part. What comes after an event never changes, so that a token that is
 * used twice gives the same output twice; the second time with what has come since.
 */
final class PartCalls implements CallExtension {

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
    private final CallStates states;
    private final Quota waiting = new Quota(WAITING);

    PartCalls(CallServices services) {
        context = services.context();
        deliveries = services.deliveries();
        verbs = services.verbs();
        states = services.states();
        tokens = new PartTokens(context, services.states());
    }

    @Override
    public boolean handles(Call call) {
        return call instanceof CallTool tool && tool.wish() instanceof TaskWish.NextPart next && next.token() != null;
    }

    @Override
    public void answer(InboundRequest request, Call call, @Nullable Kind kind, @Nullable CarriedState carried)
            throws Exception {
        if (call instanceof CallTool tool && tool.wish() instanceof TaskWish.NextPart next && next.token() != null) {
            next(request, kind, tool, next.token(), carried);
        }
    }

    @Override
    public boolean handles(TaskWish wish) {
        return wish instanceof TaskWish.NextPart;
    }

    @Override
    public @Nullable Retention retention(TaskWish wish, Kind.@Nullable LongRunning tool) {
        return tool == null
                ? null
                : Retention.fromCompletion(tool.keep() == null ? tokens.keep(tool.parts()) : tool.keep());
    }

    @Override
    public void created(
            InboundRequest request, Call call, Interactive asked, Kind.@Nullable LongRunning tool, Task task)
            throws Exception {
        first(request, Objects.requireNonNull(tool), (CallTool) asked, task);
    }

    /** The first answer to a call whose task was created: what a model may be told meanwhile, or the first part. */
    private void first(InboundRequest request, Kind.LongRunning tool, CallTool call, Task task) throws Exception {
        var immediate = tool.immediate().of(call.arguments());
        if (immediate != null) {
            var said = PartWords.immediate(immediate);
            request.reply().answer(call, tokens.part(request, call, tool.parts(), new Place(task, 0), said, true));
            return;
        }
        var wait = wait(tool.parts());
        answer(request, call, new From(tool.parts(), new Place(task, 0), wait.compareTo(AT_ONCE) < 0 ? wait : AT_ONCE));
    }

    /**
     * What comes after a token.
     *
     * @param kind    of the tool, or null where it is offered no more; its tasks are there all the same
     * @param carried what the client brought from a round of this call in which it was asked, or null
     */
    private void next(
            InboundRequest request, @Nullable Kind kind, CallTool call, String token, @Nullable CarriedState carried)
            throws Exception {
        Parts parts = kind instanceof Kind.LongRunning longRunning ? longRunning.parts() : Parts.DEFAULT;
        var place = tokens.open(request, call, token);
        if (place.isEmpty()) {
            refuse(request, call, new Refusal.InvalidParams(NO_SUCH_TOKEN));
            return;
        }
        Task task = place.get().task();
        var problem = carried == null ? null : problem(task, carried, call);
        if (problem != null) {
            refuse(request, call, new Refusal.InvalidParams(problem));
            return;
        }
        if (carried != null) {
            verbs.answer(request.owner(), task, call.retry().responses());
        }
        answer(request, call, new From(parts, place.get(), wait(parts)));
    }

    private static @Nullable String problem(Task task, CarriedState carried, CallTool call) {
        return task.id().value().equals(carried.task())
                ? TaskVerbs.problem(task.outstanding(), call.retry().responses())
                        .orElse(null)
                : "params.requestState is of another call than params.resumeToken";
    }

    /**
     * Where to go on.
     *
     * @param timeout how long to wait for the next part
     */
    private record From(Parts parts, Place place, Duration timeout) {

        /** Whether nothing was told yet. */
        boolean first(CallTool call) {
            return !(call.wish() instanceof TaskWish.NextPart wish) || wish.token() == null;
        }
    }

    private void answer(InboundRequest request, CallTool call, From from) throws Exception {
        if (!waiting.enter(request.share())) {
            refuse(request, call, new Refusal.LimitReached("calls that wait for the next part", WAITING));
            return;
        }
        Task task = from.place().task();
        Instant until = context.now().plus(from.timeout());
        var part = new PartResponse.Part(
                from.first(call),
                until,
                (place, result, fresh) -> tokens.part(request, call, from.parts(), place, result, fresh));
        var next = states.nextRound(request, call, task);
        var gone = new Answer.Refused(new Refusal.InvalidParams(NO_SUCH_TOKEN));
        try {
            var wait = new Wait(call, task, from.place().told(), true, null, survives(call, from.first(call)));
            deliveries.await(request, wait, name -> {
                var outcome = AwaitedAnswer.outcome(context, call, name, next);
                return new PartResponse(context, from.place(), part, outcome, gone);
            });
        } finally {
            waiting.leave(request.share());
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
        return parts.timeout() == null ? context.rounds().partWait() : parts.timeout();
    }

    private static void refuse(InboundRequest request, Call call, Refusal why) {
        request.reply().answer(call, new Answer.Refused(why));
    }
}
