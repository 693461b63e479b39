package io.longhaul.receiver;

import io.longhaul.engine.task.Happening;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.OutcomeWait.Wait;
import io.longhaul.receiver.PartTokens.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers one call with the next part of its task's output, or with the outcome, or when the time is over with where
 * the work stands. Meanwhile it tells what the stream of any waiting call is told.
 */
final class PartFollower implements Followed.Follower {

    /** How much output one part has; a larger piece is a part of its own. */
    private static final int PART_BYTES = 64 * 1024;

    /** What a content has around its text. */
    private static final int OVERHEAD = 32;

    /**
     * The part that is wanted.
     *
     * @param first whether nothing was told before
     * @param until when not to wait any longer
     * @param said  makes an answer of what there is up to a place
     */
    record Part(boolean first, Instant until, Said said) {}

    /** See {@link Part}. */
    interface Said {
        Answer.Part up(Place to, Json result, boolean fresh);
    }

    private final Visit visit;
    private final CallTool call;
    private final Part part;
    private final Context context;
    private final OutcomeFollower others;
    private final List<Payload> pieces = new ArrayList<>();
    private long bytes;
    private long seen;

    PartFollower(Visit visit, CallTool call, Place from, Part part, Context context) {
        this.visit = visit;
        this.call = call;
        this.part = part;
        this.context = context;
        seen = from.told();
        var task = from.task();
        var cursor = new StreamCursor(task.id(), seen, true, visit.id());
        var next = LastingCalls.nextRound(context, visit, call, task);
        others = new OutcomeFollower(visit, new Wait(call, task, cursor, false, true, next), context);
    }

    @Override
    public boolean event(Task task, TaskEvent event) {
        if (!(event.what() instanceof Happening.Emitted(var piece))) {
            seen = event.seq();
            return others.event(task, event);
        }
        if (!pieces.isEmpty() && bytes + piece.size() > PART_BYTES) {
            return answer(task);
        }
        pieces.add(piece);
        bytes += piece.size() + OVERHEAD;
        seen = event.seq();
        return true;
    }

    @Override
    public boolean current(Task task) {
        if (!pieces.isEmpty()) {
            return answer(task);
        }
        if (!others.current(task)) {
            return false;
        }
        if (context.now().isBefore(part.until())) {
            return true;
        }
        answer(task, PartWords.nothing(context.views().of(task), part.first()), false);
        return false;
    }

    private boolean answer(Task task) {
        AuditLog.seen(task, visit);
        answer(task, PartWords.pieces(pieces, part.first()), true);
        return false;
    }

    private void answer(Task task, Json result, boolean fresh) {
        visit.reply().answer(call, part.said().up(new Place(task, seen), result, fresh));
    }
}
