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
import io.longhaul.protocol.call.Call.Alias;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.ClientDialect.ToolTerms;
import io.longhaul.protocol.dialect.Traits.Making;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.call.CallResult;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes a call: from the first request to its result, or to the task that the server made of it. */
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
            String tool, Json arguments, CallOptions options, Json progressToken, TaskWish.@Nullable NextPart resume) {
        private String key() {
            return Objects.requireNonNull(options.creationKey());
        }
    }

    /** How the first part of a call ended. */
    sealed interface Started {
        /**
         * The server made a task of the call.
         *
         * @param call the request that created the task
         * @param race with the answer to the call, in a generation that answers the call only at the end; else null
         */
        record AsTask(
                TaskView task, OutgoingCall call, @Nullable RacedCreation race) implements Started {}

        record AndEnded(CallOutcome outcome) implements Started {}
    }

    private final Requestor requestor;
    private final Toolbox tools;
    private final Wanted wanted;
    private final ActiveCall call;
    private @Nullable OutgoingCall underway;
    private boolean givenUp;
    private volatile boolean taskPossible;

    CallStart(Requestor requestor, Toolbox tools, Wanted wanted, ActiveCall call) {
        this.requestor = requestor;
        this.tools = tools;
        this.wanted = wanted;
        this.call = call;
    }

    Started run() throws InterruptedException {
        return switch (terms()) {
            case ToolTerms.Invalid(var why) ->
                unusable("The server's definition of this tool is not valid: " + why + ".");
            case ToolTerms.Usable usable -> rounds(usable);
        };
    }

    /** Whether the server has a task by the id that the client chose for it before. */
    boolean hasMadeTask() {
        return requestor.dialect().traits().making().aliases() != null
                && requestor.ask(new Call.GetTask(wanted.key()))
                        instanceof CallResult.Answered(CallResponse.TaskState(var task));
    }

    /** Whether the call may reach the server twice: an id that the client chose is refused the second time. */
    boolean isRepeatable() {
        return requestor.dialect().traits().making().aliases() != null
                || isRepeatable(UNKNOWN_TOOL)
                || tools.terms(wanted.tool()).orElse(UNKNOWN_TOOL) instanceof ToolTerms.Usable usable
                        && usable.repeats();
    }

    /** Whether the call that was made may reach the server twice; asks the server nothing. */
    boolean wasRepeatable() {
        var made = underway();
        return made != null
                && (made.isRepeatable() || requestor.dialect().traits().making().aliases() != null);
    }

    private boolean isRepeatable(ToolTerms.Usable terms) {
        return terms.repeats() || requestor.hello().tasks().creationKeys();
    }

    /** Whether the server may answer with a task soon, which is then to be cancelled instead of the request. */
    boolean isTaskPossible() {
        return taskPossible;
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
        var traits = requestor.dialect().traits();
        var unneeded = traits.sessions()
                && (traits.making().by() == Created.IN_PARTS
                        || !requestor.hello().tasks().calls());
        return unneeded ? UNKNOWN_TOOL : tools.terms(wanted.tool()).orElse(UNKNOWN_TOOL);
    }

    private Started rounds(ToolTerms.Usable terms) throws InterruptedException {
        var wish = wish(terms);
        if (!(wish instanceof TaskWish.None || wish instanceof TaskWish.NextPart)) {
            requestor.listen();
        }
        return wish.isFor(Created.BESIDE_RESPONSE)
                ? race(terms, wish)
                : goOn(terms, wish, ask(terms, wish, Call.Round.FIRST));
    }

    /** Goes on after an answer: with the answers to questions, and with the token of each part, until the end. */
    private Started goOn(ToolTerms.Usable terms, TaskWish first, CallResult answer) throws InterruptedException {
        var wish = first;
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
                    return new Started.AsTask(task, Objects.requireNonNull(underway()), null);
                }
                case CallResult.Answered(CallResponse.TaskJoined(var task, var keep, var received)) -> {
                    return new Started.AsTask(task, Objects.requireNonNull(underway()), null);
                }
                case CallResult.Answered(CallResponse.InputNeeded needed) -> {
                    if (rounds++ >= QuestionRounds.MOST) {
                        return unusable(QuestionRounds.WITHOUT_END);
                    }
                    end = ask(terms, wish, QuestionRounds.answered(requestor.settings(), call.answerer(), needed));
                }
                case CallResult.Answered(CallResponse.Part part) -> {
                    if (parts++ >= MOST_PARTS) {
                        return new Started.AndEnded(
                                new CallOutcome.Left("The server has given " + MOST_PARTS + " parts and goes on."));
                    }
                    take(part, before);
                    before = part.result();
                    wish = part.next();
                    rounds = 1;
                    end = ask(terms, wish, Call.Round.FIRST);
                }
                default -> {
                    var other = end;
                    return created(wish, other).orElseGet(() -> new Started.AndEnded(ServerResponses.outcome(other)));
                }
            }
        }
    }

    private void take(CallResponse.Part part, Json before) throws InterruptedException {
        if (part.fresh()) {
            call.feed().part(part.result());
        }
        call.canGoOn(new ResumePoint(wanted.tool(), wanted.arguments(), part.next()).asId());
        if (!part.fresh() || part.result().equals(before)) {
            requestor.settings().time().pause(BETWEEN_EMPTY_PARTS);
        }
    }

    private Optional<Started> created(TaskWish wish, CallResult end) {
        var call = Objects.requireNonNull(underway());
        return wish.isFor(Created.BY_SERVER)
                        && requestor.dialect().traits().making().aliases() != null
                ? taskMadeBy(call, end, requestor, wanted.key()).map(task -> new Started.AsTask(task, call, null))
                : Optional.empty();
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
        return doubtful
                        && requestor.ask(new Call.GetTask(taskId))
                                instanceof CallResult.Answered(CallResponse.TaskState(var task))
                ? Optional.of(task)
                : Optional.empty();
    }

    private Started race(ToolTerms.Usable terms, TaskWish wish) throws InterruptedException {
        var ask = prepared(terms, wish, Call.Round.FIRST);
        if (ask == null) {
            return new Started.AndEnded(new CallOutcome.Cancelled());
        }
        var race = new RacedCreation(requestor, ask, wanted.key());
        var task = race.begin();
        return task.isPresent() ? new Started.AsTask(task.get(), ask, race) : goOn(terms, wish, race.answer());
    }

    private static Started unusable(String reason) {
        return new Started.AndEnded(new CallOutcome.Unusable(reason));
    }

    /** The server refuses headers where the definition of a tool has changed: the definition is read anew, once. */
    private CallResult ask(ToolTerms.Usable terms, TaskWish wish, Call.Round round) {
        var asked = askOnce(terms, wish, round);
        if (asked instanceof CallResult.Refused(var error) && error.code() == RpcError.HEADER_MISMATCH) {
            tools.forget();
            return terms() instanceof ToolTerms.Usable usable ? askOnce(usable, wish, round) : asked;
        }
        return asked;
    }

    private CallResult askOnce(ToolTerms.Usable terms, TaskWish wish, Call.Round round) {
        var ask = prepared(terms, wish, round);
        return ask == null ? new CallResult.Cancelled() : requestor.ask(ask);
    }

    /**
     * The call that is made next; null where the caller has cancelled before. A call for the next part of some work is
     * made even then: only cancelling that call stops the work.
     */
    private @Nullable OutgoingCall prepared(ToolTerms.Usable terms, TaskWish wish, Call.Round round) {
        var key = isResumed(wish) ? null : wanted.key();
        var extras = new Call.CallExtras(wanted.progressToken(), key, null);
        var ask = new OutgoingCall(new Call.CallTool(wanted.tool(), wanted.arguments(), wish, extras, round))
                .headers(requestor.dialect().mirrored(terms, wanted.arguments()))
                .repeatable(isRepeatable(terms) || isResumed(wish))
                .onTrouble(call.feed()::trouble)
                .onNotice(call.feed()::logged)
                .answeredBy(call.ownAnswerer())
                .withoutTimeout();
        synchronized (this) {
            underway = ask;
            if (isResumed(wish)) {
                taskPossible = false;
                ask.sentBeforeCancelled(TO_GIVE_UP);
                if (givenUp) {
                    ask.cancel();
                }
                return ask;
            }
            return givenUp ? null : ask;
        }
    }

    /** "The tokens are very tolerant of disconnections": a token that was used gives the same part again. */
    private static boolean isResumed(TaskWish wish) {
        return wish instanceof TaskWish.NextPart parts && parts.token() != null;
    }

    private synchronized @Nullable OutgoingCall underway() {
        return underway;
    }

    private TaskWish wish(ToolTerms.Usable terms) {
        var ways = requestor.dialect().traits().making();
        var created = created(ways, terms);
        taskPossible = created.isPresent();
        var ttl = wanted.options().ttl();
        var kept = taskPossible ? ways.kept() : null;
        if (ttl != null && kept == null) {
            call.feed()
                    .warn("The server cannot be asked how long it keeps this call, so the time to live was ignored.");
        }
        if (wanted.resume() != null) {
            return wanted.resume();
        }
        if (ways.by() == Created.IN_PARTS) {
            return new TaskWish.NextPart(null, false);
        }
        var alias = ways.aliases() == null ? null : new Alias(ways.aliases(), wanted.key());
        return created.<TaskWish>map(how -> kept == null
                        ? new TaskWish.Terms(how, Keep.From.CREATION, null, alias)
                        : new TaskWish.Terms(how, kept, ttl, alias))
                .orElseGet(TaskWish.None::new);
    }

    /** How the call can become a task; empty where the call cannot become one. */
    private Optional<Created> created(Making ways, ToolTerms.Usable terms) {
        if (wanted.options().task() == TaskUse.REFUSE) {
            return Optional.empty();
        }
        boolean takesTasks = terms.mode() != TaskMode.NEVER;
        return switch (ways.by()) {
            case NEVER, IN_PARTS -> Optional.empty();
            case BESIDE_RESPONSE -> Optional.of(ways.by());
            case BY_SERVER -> Optional.of(ways.by()).filter(any -> takesTasks || ways.aliases() == null);
            case BY_CALLER ->
                Optional.of(ways.by())
                        .filter(any -> takesTasks && requestor.hello().tasks().calls());
        };
    }
}
