package io.longhaul.peer.receiver;

import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.peer.receiver.SealedState.State;
import io.longhaul.peer.tool.ServedTool.Kind;
import io.longhaul.peer.tool.ServedTool.Parts;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Refusal;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Calls that take the output of a task part by part. A token says of which task, up to which event, for whom and for
 * which call, and is sealed: no process has to remember it. What comes after an event never changes, so that a token
 * that is used twice gives the same part twice.
 */
final class PartCalls {

    /** How long the first answer waits for the first part, at most. */
    static final Duration AT_ONCE = Duration.ofSeconds(3);

    /** How many calls of one owner may wait for parts at once. */
    static final int WAITING = 100;

    private static final String NO_SUCH_TOKEN = "resumeToken is not one that this server gave to you for this very"
            + " call, or is too old: call again without it to begin anew";

    private final Context context;
    private final ConcurrentHashMap<String, Integer> waiting = new ConcurrentHashMap<>();

    PartCalls(Context context) {
        this.context = context;
    }

    /** The call, where it is one for a part, or null. */
    static @Nullable CallTool isForPart(Call call) {
        return call instanceof CallTool tool && tool.wish() instanceof TaskWish.InParts ? tool : null;
    }

    /** The first answer to a call whose task was created: what a model may be told meanwhile, or the first part. */
    void first(Visit visit, Kind.Lasting tool, CallTool call, Task task) throws Exception {
        var immediate = tool.immediate().of(call.arguments());
        if (immediate != null) {
            var said = PartWords.immediate(immediate);
            visit.reply().answer(call, new Answer.Part(said, goOn(visit, call, tool.parts(), task, 0), true));
            return;
        }
        var wait = wait(tool.parts());
        answer(visit, call, task, new From(tool.parts(), 0, wait.compareTo(AT_ONCE) < 0 ? wait : AT_ONCE, true));
    }

    /**
     * What comes after a token.
     *
     * @param kind of the tool, or null where it is offered no more; its tasks are there all the same
     */
    void next(Visit visit, @Nullable Kind kind, CallTool call, String token) throws Exception {
        Parts parts = kind instanceof Kind.Lasting lasting ? lasting.parts() : Parts.DEFAULT;
        var state = context.sealed().open(token, Carried.partBinding(visit, call), context.now());
        var task = state.flatMap(
                open -> context.engine().find(visit.owner(), new TaskId(Objects.requireNonNull(open.task()))));
        if (task.isEmpty()) {
            refuse(visit, call, new Refusal.InvalidParams(NO_SUCH_TOKEN));
        } else {
            answer(visit, call, task.get(), new From(parts, state.get().told(), wait(parts), false));
        }
    }

    /**
     * Where to go on.
     *
     * @param told  the last event that was told
     * @param patience how long to wait for the next part
     * @param first whether nothing was told yet
     */
    private record From(Parts parts, long told, Duration patience, boolean first) {}

    private void answer(Visit visit, CallTool call, Task task, From from) throws Exception {
        String owner = visit.owner().value();
        if (waiting.merge(owner, 1, Integer::sum) > WAITING) {
            leave(owner);
            refuse(visit, call, new Refusal.LimitReached("calls that wait for the next part", WAITING));
            return;
        }
        var until = context.now().plus(from.patience());
        var follower = new PartFollower(
                visit,
                call,
                task,
                new PartFollower.Part(
                        from.told(), from.first(), until, told -> goOn(visit, call, from.parts(), task, told)),
                context);
        visit.live().waitsFor(task.id());
        visit.reply().onGone(visit.live()::stop);
        try {
            boolean found = visit.live()
                    .interruptibly(() -> new Followed(context.engine(), until)
                            .follow(visit.owner(), task.id(), from.told(), follower));
            if (!found) {
                refuse(visit, call, new Refusal.InvalidParams(NO_SUCH_TOKEN));
            }
        } catch (InterruptedException e) {
            giveUp(visit, task);
        } finally {
            leave(owner);
        }
    }

    /** The client has cancelled this very call, and its work with it; or its way back is gone, and it can come back. */
    private void giveUp(Visit visit, Task task) {
        if (visit.live().isCancelled()) {
            context.engine().cancel(visit.owner(), task.id(), "The caller cancelled its call.");
        }
        visit.reply().silently();
    }

    private void leave(String owner) {
        waiting.computeIfPresent(owner, (key, count) -> count > 1 ? count - 1 : null);
    }

    private Duration wait(Parts parts) {
        return parts.patience() == null ? context.rounds().partWait() : parts.patience();
    }

    /** The token stands where the client has put the one before. */
    private TaskWish.InParts goOn(Visit visit, CallTool call, Parts parts, Task task, long told) {
        var life = parts.life() == null ? context.rounds().tokenLife() : parts.life();
        var state = State.ofTask(task.id().value(), told);
        var binding = Carried.partBinding(visit, call);
        var token = context.sealed().seal(state, binding, context.now().plus(life));
        return new TaskWish.InParts(token, call.wish() instanceof TaskWish.InParts before && before.beside());
    }

    private static void refuse(Visit visit, Call call, Refusal why) {
        visit.reply().answer(call, new Answer.Refused(why));
    }
}
