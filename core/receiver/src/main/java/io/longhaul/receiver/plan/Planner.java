// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.plan;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.task.Retention;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Traits;
import io.longhaul.protocol.dialect.Traits.AskedOn;
import io.longhaul.protocol.dialect.Traits.Cancelling;
import io.longhaul.protocol.dialect.Traits.Following;
import io.longhaul.protocol.dialect.Traits.NotifiedOn;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.receiver.question.Asking;
import io.longhaul.receiver.tool.ServedTool;
import io.longhaul.receiver.tool.ServedTool.Kind;
import io.longhaul.receiver.tool.ServedTool.Plain;
import io.longhaul.receiver.tool.ServedTool.Which;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides how the receiver deals with the clients of every generation, and how each call is carried out. No other class
 * of the receiver reads the traits of a generation or the wish of a call.
 *
 * @param limits     of tasks
 * @param tokenLife  how long a token for the next part is valid, where the tool does not say
 * @param companions whether a model in a host without tasks has tools to go on with a task, and to answer its questions
 */
public record Planner(TaskLimits limits, Duration tokenLife, boolean companions) {

    /**
     * The plan for a call of a tool.
     *
     * @param tool null where the server has none of that name
     */
    public Plan plan(CallTool call, @Nullable ServedTool tool, Sender sender) {
        if (tool == null) {
            return refused(call, new Refusal.UnknownTool(call.tool()));
        }
        return switch (tool.kind()) {
            case Kind.Quick quick -> quick(call, quick, sender);
            case Kind.LongRunning longRunning -> longRunning(call, longRunning, sender);
        };
    }

    /** The plan for a request that its sender wants to run as a task, and that calls no long-running tool. */
    public Plan plan(Call.Augmented call, Asking asking, Manner manner) {
        return switch (call.wish()) {
            case TaskWish.Unreadable(var problem) -> new Plan.Refused(new Refusal.InvalidParams(problem), null);
            case TaskWish.Terms terms ->
                new Plan.Task(
                        new Answering.AtTheEnd(true),
                        asking,
                        retention(terms, null),
                        manner.leaving(comesBack(call, call.of()), Plain.DEFAULT.outlives()));
            default -> throw new IllegalArgumentException("no wish for a task: " + call.wish());
        };
    }

    /** The plan for another run of an ended task's call. Whoever wants that run can answer its questions later. */
    public Plan.Task again(Kind.LongRunning tool, Asking asking, Manner manner) {
        var later = asking.later();
        var leaving = manner.leaving(false, tool.plain().outlives());
        return new Plan.Task(withTask(tool, later), later, own(tool), leaving);
    }

    /** Whether the sender of a call can make the same call again, and gets its task. */
    private static boolean comesBack(Call call, Call.Interactive asked) {
        return call.alias() != null || asked.extras().creationKey() != null;
    }

    /**
     * What becomes of a task when its client leaves a request that waits for it, to which the client can come back.
     *
     * @param tool of the task, or null where the server has none
     */
    public static Leaving leaving(@Nullable ServedTool tool) {
        var plain = tool != null && tool.kind() instanceof Kind.LongRunning longRunning
                ? longRunning.plain()
                : Plain.DEFAULT;
        return new Leaving(false, plain.outlives(), () -> false);
    }

    /**
     * A wish that cannot be met is ignored where the server announces no tasks: "Receivers that do not declare the task
     * capability for a request type MUST process requests of that type normally, ignoring any task-augmentation
     * metadata if present".
     */
    private Plan quick(CallTool call, Kind.Quick tool, Sender sender) {
        return switch (call.wish()) {
            case TaskWish.Unreadable(var problem)
            when sender.isOfferedTasksOfAnyTool() -> refused(call, new Refusal.InvalidParams(problem));
            case TaskWish.Terms terms
            when terms.isFor(Created.BY_CALLER) && (terms.joins() || sender.isOfferedTasks()) ->
                refused(call, new Refusal.TaskNotSupported(call.tool()));
            case TaskWish.Terms terms
            when terms.isFor(Created.BESIDE_RESPONSE) && sender.isOfferedTasksOfAnyTool() -> new Plan.QuickTask(tool);
            default -> new Plan.Quick(tool);
        };
    }

    private Plan longRunning(CallTool call, Kind.LongRunning tool, Sender sender) {
        return switch (call.wish()) {
            case TaskWish.Unreadable(var problem) -> refused(call, new Refusal.InvalidParams(problem));
            case TaskWish.None none when tool.taskOnly() -> refused(call, new Refusal.TaskRequired(call.tool()));
            case TaskWish.None none -> decidedHere(tool, none(call, tool, sender));
            case TaskWish.NextPart next -> decidedHere(tool, inParts(next, call, tool, sender));
            case TaskWish.Terms terms
            when terms.isFor(Created.BY_SERVER) -> decidedHere(tool, terms(terms, call, tool, sender));
            case TaskWish.Terms terms -> terms(terms, call, tool, sender);
        };
    }

    /** A plan for a call whose sender leaves to the server whether there is a task. */
    private static Plan decidedHere(Kind.LongRunning tool, Plan plan) {
        return tool.which() instanceof Which.Some(var isLong, var otherwise)
                ? new Plan.ByArguments(arguments -> isLong.test(arguments) ? plan : new Plan.Quick(otherwise))
                : plan;
    }

    /** A sender that can neither be asked nor have a task must bring the answers of its user as arguments. */
    private Plan none(CallTool call, Kind.LongRunning tool, Sender sender) {
        var plan = withoutWord(call, tool, sender);
        boolean canBeAsked = sender.host().get() == Sender.Host.WAITS
                || sender.asking().capabilities().form();
        return canBeAsked || tool.questions().asArguments().isEmpty()
                ? plan
                : new Plan.ByArguments(arguments -> tool.questions()
                        .missing(arguments)
                        .<Plan>map(why -> new Plan.Told(new CallResponse.ToolResult(MessageWriter.errorResult(why))))
                        .orElse(plan));
    }

    private Plan.Task withoutWord(CallTool call, Kind.LongRunning tool, Sender sender) {
        if (tool.parts().always() && sender.takesParts()) {
            return inParts(new TaskWish.NextPart(null, false), call, tool, sender);
        }
        if (sender.host().get() == Sender.Host.GIVES_UP) {
            var plan = task(call, tool, sender, new Answering.Within(), own(tool));
            return new Plan.Task(plan.answering(), asked(sender.asking()), plan.retention(), plan.leaving());
        }
        return task(call, tool, sender, new Answering.AtTheEnd(false), own(tool));
    }

    private static Plan.Task task(
            CallTool call, Kind.LongRunning tool, Sender sender, Answering answering, @Nullable Retention retention) {
        var leaving =
                sender.manner().leaving(comesBack(call, call), tool.plain().outlives());
        return new Plan.Task(answering, sender.asking(), retention, leaving);
    }

    /** The task is kept as long as its last token is valid at least, unless the author says otherwise. */
    private Plan.Task inParts(TaskWish.NextPart next, CallTool call, Kind.LongRunning tool, Sender sender) {
        var times = List.of(tool.parts().lifeOr(tokenLife), limits.defaultRetention());
        var keep = tool.keep() == null ? limits.held(Collections.max(times)) : tool.keep();
        var part = new Answering.NextPart(next.token(), next.inMeta());
        return task(call, tool, sender, part, Retention.fromCompletion(keep));
    }

    /** The part that a call asks for with a token. */
    public static Answering.NextPart nextPart(CallTool call) {
        var next = (TaskWish.NextPart) call.wish();
        return new Answering.NextPart(next.token(), next.inMeta());
    }

    private Plan.Task terms(TaskWish.Terms terms, CallTool call, Kind.LongRunning tool, Sender sender) {
        if (terms.joins()) {
            var joined = joined(terms, tool.keep());
            // The time begins at the end, because the session has yet to join the task.
            return task(call, tool, sender, joined, Retention.fromCompletion(joined.keep()));
        }
        var answering =
                terms.isFor(Created.BESIDE_RESPONSE) ? new Answering.AtTheEnd(true) : withTask(tool, sender.asking());
        return task(call, tool, sender, answering, retention(terms, tool.keep()));
    }

    /** @param own the time that the author of the tool says, or null */
    private Answering.Joined joined(TaskWish.Terms terms, @Nullable Duration own) {
        if (terms.time() != null) {
            return new Answering.Joined(limits.held(terms.time()));
        }
        return new Answering.Joined(own == null ? limits.defaultRetention() : own);
    }

    private static Answering.WithTask withTask(Kind.LongRunning tool, Asking asking) {
        return new Answering.WithTask(tool.questions().mayAskFirst() && !asking.byRequest());
    }

    /** A task may ask for a form at any time where the model can fill in the form that the host cannot show. */
    private Asking asked(Asking asking) {
        var can = asking.capabilities();
        return companions
                ? new Asking(
                        new Capabilities(true, can.url(), can.sampling(), can.roots(), can.takes(), can.more()),
                        asking.byRequest())
                : asking;
    }

    private static @Nullable Retention own(Kind.LongRunning tool) {
        return tool.keep() == null ? null : Retention.fromCompletion(tool.keep());
    }

    /** @param own the time that the author of the tool says, or null */
    private @Nullable Retention retention(TaskWish.Terms terms, @Nullable Duration own) {
        Keep keep = terms.keep();
        if (keep != null) {
            return limits.held(
                    switch (keep.from()) {
                        case CREATION -> Retention.fromCreation(keep.time());
                        case COMPLETION, LEAVING -> Retention.fromCompletion(keep.time());
                    });
        }
        if (own != null) {
            return Retention.fromCompletion(own);
        }
        return terms.kept() == Keep.From.COMPLETION ? Retention.fromCompletion(limits.defaultRetention()) : null;
    }

    private Plan.Refused refused(CallTool call, Refusal why) {
        var answering = call.wish() instanceof TaskWish.Terms terms && terms.joins() ? joined(terms, null) : null;
        return new Plan.Refused(why, answering);
    }

    /** How clients of a dialect are dealt with. */
    public static Manner manner(Dialect dialect) {
        var traits = dialect.traits();
        return new Manner(
                dialect,
                traits.sessions(),
                streamEnd(traits),
                telling(traits.telling()),
                traits.cancelling() == Cancelling.BY_CALL,
                traits.making().aliases());
    }

    /** How tasks are dealt with that clients run for the receiver. */
    public static ClientTaskManner ofClientTasks(ClientDialect dialect) {
        var traits = dialect.traits();
        return new ClientTaskManner(
                dialect,
                traits.following() == Following.WAITING,
                traits.cancelling() == Cancelling.BY_REQUEST,
                traits.making().kept() == Keep.From.CREATION ? Keep.From.CREATION : Keep.From.COMPLETION,
                traits.making().aliases());
    }

    private static StreamEnd streamEnd(Traits traits) {
        return switch (traits.streams()) {
            case LOST -> traits.sessions() ? StreamEnd.RESENDS : StreamEnd.CANCELS;
            case RESUMED -> StreamEnd.RESUMES;
            case POLLED -> StreamEnd.POLLS;
        };
    }

    private static Telling telling(Traits.Telling traits) {
        return new Telling(
                traits.told() != NotifiedOn.NOWHERE,
                traits.told() == NotifiedOn.ON_CALL,
                traits.asked() == AskedOn.STREAMS_AFTER_A_POLL,
                traits.asked() == AskedOn.STREAMS_AND_LOOKS);
    }
}
