// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.plan;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.task.Retention;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Traits;
import io.longhaul.protocol.dialect.Traits.AskedOn;
import io.longhaul.protocol.dialect.Traits.Cancelling;
import io.longhaul.protocol.dialect.Traits.Following;
import io.longhaul.protocol.dialect.Traits.NotifiedOn;
import io.longhaul.receiver.question.Asking;
import io.longhaul.receiver.tool.ServedTool;
import io.longhaul.receiver.tool.ServedTool.Kind;
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
    public Plan plan(Call.Augmented call, Asking asking) {
        return switch (call.wish()) {
            case TaskWish.Unreadable(var problem) -> new Plan.Refused(new Refusal.InvalidParams(problem), null);
            case TaskWish.Terms terms -> new Plan.Task(new Answering.AtTheEnd(true), asking, retention(terms, null));
            default -> throw new IllegalArgumentException("no wish for a task: " + call.wish());
        };
    }

    /** The plan for another run of an ended task's call. */
    public Plan.Task again(Kind.LongRunning tool, Asking asking) {
        return new Plan.Task(withTask(tool, asking), asking, own(tool));
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
            case TaskWish.None none -> decidedHere(tool, none(tool, sender));
            case TaskWish.NextPart next -> decidedHere(tool, inParts(next, tool, sender));
            case TaskWish.Terms terms
            when terms.isFor(Created.BY_SERVER) -> decidedHere(tool, terms(terms, tool, sender));
            case TaskWish.Terms terms -> terms(terms, tool, sender);
        };
    }

    /** A plan for a call whose sender leaves to the server whether there is a task. */
    private static Plan decidedHere(Kind.LongRunning tool, Plan.Task plan) {
        return tool.which() instanceof Which.Some(var isLong, var otherwise)
                ? new Plan.ByArguments(isLong, plan, new Plan.Quick(otherwise))
                : plan;
    }

    private Plan.Task none(Kind.LongRunning tool, Sender sender) {
        if (tool.parts().always() && sender.takesParts()) {
            return inParts(new TaskWish.NextPart(null, false), tool, sender);
        }
        if (sender.host() == Sender.Host.GIVES_UP) {
            return new Plan.Task(new Answering.Within(), asked(sender.asking()), own(tool));
        }
        return new Plan.Task(new Answering.AtTheEnd(false), sender.asking(), own(tool));
    }

    /** The task is kept as long as its last token is valid at least, unless the author says otherwise. */
    private Plan.Task inParts(TaskWish.NextPart next, Kind.LongRunning tool, Sender sender) {
        var times = List.of(tool.parts().lifeOr(tokenLife), limits.defaultRetention());
        var keep = tool.keep() == null ? limits.held(Collections.max(times)) : tool.keep();
        return new Plan.Task(
                new Answering.NextPart(next.token(), next.inMeta()), sender.asking(), Retention.fromCompletion(keep));
    }

    /** The part that a call asks for with a token. */
    public static Answering.NextPart nextPart(CallTool call) {
        var next = (TaskWish.NextPart) call.wish();
        return new Answering.NextPart(next.token(), next.inMeta());
    }

    private Plan.Task terms(TaskWish.Terms terms, Kind.LongRunning tool, Sender sender) {
        var asking = sender.asking();
        if (terms.joins()) {
            var joined = joined(terms, tool.keep());
            // The time begins at the end, because the session has yet to join the task.
            return new Plan.Task(joined, asking, Retention.fromCompletion(joined.keep()));
        }
        var answering = terms.isFor(Created.BESIDE_RESPONSE) ? new Answering.AtTheEnd(true) : withTask(tool, asking);
        return new Plan.Task(answering, asking, retention(terms, tool.keep()));
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
                leaving(traits),
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

    private static Leaving leaving(Traits traits) {
        return switch (traits.streams()) {
            case LOST -> traits.sessions() ? Leaving.RESENDS : Leaving.CANCELS;
            case RESUMED -> Leaving.RESUMES;
            case POLLED -> Leaving.POLLS;
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
