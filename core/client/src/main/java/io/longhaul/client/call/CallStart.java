// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.call;

import io.longhaul.client.CallOptions;
import io.longhaul.client.CallOptions.TaskUse;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.list.Toolbox;
import io.longhaul.client.request.QuestionRounds;
import io.longhaul.client.request.ServerResponses;
import io.longhaul.client.value.ResumePoint;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.ClientDialect.ToolTerms;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.call.CallResult;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.follow.Creation;
import io.longhaul.requestor.plan.CallPlan;
import io.longhaul.requestor.plan.ClientPlanner;
import io.longhaul.requestor.plan.PartToken;
import io.longhaul.requestor.plan.TaskChoice;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes a call: from the first request to its result, or to the task that the server makes of it. */
public final class CallStart {

    /** After this time, a call for the next part has reached the server, and cancelling the call cancels the work. */
    public static final Duration TO_GIVE_UP = Duration.ofMillis(250);

    /** How many parts of one call are fetched. A caller that wants more attaches to the reference of the last part. */
    static final int MOST_PARTS = 10_000;

    private static final Duration BETWEEN_EMPTY_PARTS = Duration.ofSeconds(1);
    private static final ToolTerms.Usable UNKNOWN_TOOL = new ToolTerms.Usable(TaskMode.NEVER, Map.of(), false);

    /**
     * The tool, the arguments and the options of the call.
     *
     * @param options with a creation key
     * @param resume what came with the last part of a call that was answered in parts before; null for a new call
     */
    public record Wanted(
            String tool,
            Json arguments,
            CallOptions options,
            Json progressToken,
            @Nullable PartToken resume) {
        private String key() {
            return Objects.requireNonNull(options.creationKey());
        }
    }

    private final Requestor requestor;
    private final Toolbox tools;
    private final Wanted wanted;
    private final ActiveCall call;
    private @Nullable OutgoingCall underway;
    private boolean givenUp;

    /** How the request that is under way was made, or the next one is; null before the first. */
    private volatile @Nullable CallPlan plan;

    /** The definition of the tool by which requests are made. */
    private ToolTerms.Usable tool = UNKNOWN_TOOL;

    CallStart(Requestor requestor, Toolbox tools, Wanted wanted, ActiveCall call) {
        this.requestor = requestor;
        this.tools = tools;
        this.wanted = wanted;
        this.call = call;
    }

    /** Makes the call, and gives its outcome: of the request, or of the task that the server makes of it. */
    CallOutcome run() throws InterruptedException {
        return switch (terms()) {
            case ToolTerms.Invalid(var why) ->
                new CallOutcome.Unusable("The server's definition of this tool is not valid: " + why + ".");
            case ToolTerms.Usable usable -> {
                tool = usable;
                yield rounds(planned(usable));
            }
        };
    }

    /** Whether the server has a task by the id that the client chose for it before. */
    boolean hasMadeTask() {
        return requestor.manner().namesTasks() && requestor.task(wanted.key()).isPresent();
    }

    /** Whether the call may reach the server twice. */
    boolean isRepeatable() {
        return requestor.hello().tasks().creationKeys()
                || tools.terms(wanted.tool()).orElse(UNKNOWN_TOOL) instanceof ToolTerms.Usable usable
                        && planned(usable).mayComeTwice();
    }

    /** Whether the call that was made may reach the server twice; asks the server nothing. */
    boolean wasRepeatable() {
        var made = plan;
        return made != null && made.mayComeTwice();
    }

    /** Whether the server may answer with a task soon, which is then to be cancelled instead of the request. */
    boolean isTaskPossible() {
        var made = plan;
        return made != null && made.mayBeTask();
    }

    void giveUp() {
        OutgoingCall ask;
        synchronized (this) {
            givenUp = true;
            ask = underway;
        }
        if (ask != null) {
            ask.cancel();
        }
    }

    private ToolTerms terms() {
        return requestor.manner().readsTools() ? tools.terms(wanted.tool()).orElse(UNKNOWN_TOOL) : UNKNOWN_TOOL;
    }

    /** The plan for the next request, by this definition of the tool. */
    private CallPlan planned(ToolTerms.Usable definition) {
        var options = wanted.options();
        var choice = new TaskChoice(options.task() != TaskUse.REFUSE, options.ttl(), wanted.key());
        return wanted.resume() == null ? requestor.plan(definition, choice) : CallPlan.after(wanted.resume());
    }

    private CallOutcome rounds(CallPlan first) throws InterruptedException {
        plan = first;
        if (first.ignoresTtl()) {
            call.feed()
                    .warn("The server cannot be asked how long it keeps this call, so the time to live was ignored.");
        }
        if (first.mayBeTask()) {
            requestor.listen();
        }
        return first.way() == CallPlan.Way.RACE ? race(first) : goOn(first, ask(first, Call.Round.FIRST));
    }

    /** Goes on after an answer: with the answers to questions, and with the token of each part, until the end. */
    private CallOutcome goOn(CallPlan first, CallResult answer) throws InterruptedException {
        var next = first;
        var end = answer;
        Json before = Json.EMPTY_OBJECT;
        int rounds = 1;
        int parts = 1;
        while (true) {
            switch (end) {
                case CallResult.Answered(CallResponse.TaskCreated(var task, var immediate)) -> {
                    if (immediate != null) {
                        call.feed().part(Json.raw("{\"content\":" + immediate + "}"));
                    }
                    return made(task);
                }
                case CallResult.Answered(CallResponse.TaskJoined(var task, var keep, var received)) -> {
                    return made(task);
                }
                case CallResult.Answered(CallResponse.InputNeeded needed) -> {
                    if (rounds++ >= QuestionRounds.MOST) {
                        return new CallOutcome.Unusable(QuestionRounds.WITHOUT_END);
                    }
                    end = ask(next, QuestionRounds.answered(requestor.settings(), call.answerer(), needed));
                }
                case CallResult.Answered(CallResponse.Part part) -> {
                    if (parts++ >= MOST_PARTS) {
                        return new CallOutcome.Left("The server has given " + MOST_PARTS + " parts and goes on.");
                    }
                    var token = ClientPlanner.token(part);
                    take(part, token, before);
                    before = part.result();
                    next = CallPlan.after(token);
                    rounds = 1;
                    end = ask(next, Call.Round.FIRST);
                }
                default -> {
                    var task = next.way() == CallPlan.Way.TASK && next.isNamed()
                            ? taskMadeBy(Objects.requireNonNull(underway()), end, requestor, wanted.key())
                            : Optional.<TaskView>empty();
                    return task.isPresent() ? made(task.get()) : ServerResponses.outcome(end);
                }
            }
        }
    }

    private void take(CallResponse.Part part, PartToken token, Json before) throws InterruptedException {
        if (part.fresh()) {
            call.feed().part(part.result());
        }
        call.canGoOn(new ResumePoint(wanted.tool(), wanted.arguments(), token).asId());
        if (!part.fresh() || part.result().equals(before)) {
            requestor.settings().time().pause(BETWEEN_EMPTY_PARTS);
        }
    }

    private CallOutcome made(TaskView task) throws InterruptedException {
        return call.made(new Creation(task, Objects.requireNonNull(underway()), call::isCancelling), isLeft());
    }

    private boolean isLeft() {
        return wanted.options().task() == TaskUse.LEAVE;
    }

    /**
     * The task that a call has made although its answer was lost, or refused the call because the call came twice.
     *
     * @param taskId that the client chose for the task
     */
    static Optional<TaskView> taskMadeBy(OutgoingCall call, CallResult end, Requestor requestor, String taskId) {
        boolean doubtful = end instanceof CallResult.OutcomeUnknown
                || (end instanceof CallResult.Refused(var error)
                        && call.wasRepeated()
                        && error.code() == RpcError.INVALID_PARAMS);
        return doubtful ? requestor.task(taskId) : Optional.empty();
    }

    private CallOutcome race(CallPlan raced) throws InterruptedException {
        var ask = prepared(raced, Call.Round.FIRST);
        if (ask == null) {
            return new CallOutcome.Cancelled();
        }
        var race = new RacedCreation(requestor, ask, wanted.key());
        var task = race.begin();
        return task.isPresent()
                ? call.made(race.creation(task.get(), call::isCancelling), isLeft())
                : goOn(raced, race.answer());
    }

    /** The server refuses headers where the definition of a tool has changed: the definition is read anew, once. */
    private CallResult ask(CallPlan next, Call.Round round) {
        var asked = askOnce(next, round);
        if (asked instanceof CallResult.Refused(var error) && error.code() == RpcError.HEADER_MISMATCH) {
            tools.forget();
            if (terms() instanceof ToolTerms.Usable usable) {
                tool = usable;
                return askOnce(next.isPart() ? next : planned(usable), round);
            }
        }
        return asked;
    }

    private CallResult askOnce(CallPlan next, Call.Round round) {
        var ask = prepared(next, round);
        return ask == null ? new CallResult.Cancelled() : requestor.ask(ask);
    }

    /**
     * The call that is made next; null where the caller has cancelled before. A call for the next part of some work is
     * made even then: only cancelling that call stops the work.
     */
    private @Nullable OutgoingCall prepared(CallPlan next, Call.Round round) {
        var made = next.call(wanted.tool(), wanted.arguments(), wanted.progressToken(), wanted.key(), round);
        var ask = new OutgoingCall(made)
                .headers(requestor.dialect().mirrored(tool, wanted.arguments()))
                .repeatable(next.isRepeatable())
                .onTrouble(call.feed()::trouble)
                .onNotice(call.feed()::logged)
                .answeredBy(call.ownAnswerer())
                .withoutTimeout();
        synchronized (this) {
            underway = ask;
            plan = next;
            if (next.isPart()) {
                ask.sentBeforeCancelled(TO_GIVE_UP);
                if (givenUp) {
                    ask.cancel();
                }
                return ask;
            }
            return givenUp ? null : ask;
        }
    }

    private synchronized @Nullable OutgoingCall underway() {
        return underway;
    }
}
