package io.longhaul.peer.receiver;

import io.longhaul.engine.task.Happening;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.peer.receiver.OutcomeWait.Wait;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.TaskWish.InParts;
import java.time.Instant;
import java.util.function.LongFunction;

/**
 * Answers one call with the next part of its task's output, or with the outcome, or when the time is over with where
 * the work stands. Meanwhile it tells what the stream of any waiting call is told.
 */
final class PartFollower implements Followed.Follower {

    /**
     * The part that is wanted.
     *
     * @param after the last event that was told before
     * @param first whether nothing was told before
     * @param until when not to wait any longer
     * @param next  what goes on after an event
     */
    record Part(long after, boolean first, Instant until, LongFunction<InParts> next) {}

    private final Visit visit;
    private final CallTool call;
    private final Part part;
    private final Context context;
    private final OutcomeFollower others;
    private long seen;

    PartFollower(Visit visit, CallTool call, Task task, Part part, Context context) {
        this.visit = visit;
        this.call = call;
        this.part = part;
        this.context = context;
        seen = part.after();
        var cursor = new StreamCursor(task.id(), seen, true, visit.id());
        others = new OutcomeFollower(visit, new Wait(call, task, cursor, false, true, null), context);
    }

    @Override
    public boolean event(Task task, TaskEvent event) {
        seen = event.seq();
        if (event.what() instanceof Happening.Emitted emitted) {
            AuditLog.seen(task, visit);
            var result = PartWords.piece(emitted.output(), part.first());
            visit.reply().answer(call, new Answer.Part(result, part.next().apply(seen), true));
            return false;
        }
        return others.event(task, event);
    }

    @Override
    public boolean current(Task task) {
        if (!others.current(task)) {
            return false;
        }
        if (context.now().isBefore(part.until())) {
            return true;
        }
        var result = PartWords.nothing(context.views().of(task), part.first());
        visit.reply().answer(call, new Answer.Part(result, part.next().apply(seen), false));
        return false;
    }
}
