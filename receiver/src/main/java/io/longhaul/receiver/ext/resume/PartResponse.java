package io.longhaul.receiver.ext.resume;

import io.longhaul.engine.task.Happening;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.ext.resume.PartTokens.Place;
import io.longhaul.receiver.stream.AwaitedAnswer;
import io.longhaul.receiver.task.TaskViews;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The next part of a task's output; or the outcome; or, when the time is over, where the work stands. */
final class PartResponse implements AwaitedAnswer {

    /** How much output one part has; a larger piece is a part of its own. */
    private static final int PART_BYTES = 64 * 1024;

    /** What a content has around its text. */
    private static final int OVERHEAD = 32;

    /**
     * The part that is wanted.
     *
     * @param first whether nothing was told before
     * @param until when not to wait any longer
     * @param words makes an answer of what there is up to a place
     */
    record Part(boolean first, Instant until, Words words) {}

    /** See {@link Part}. */
    interface Words {
        Answer.Part upTo(Place to, Json result, boolean fresh);
    }

    private final Context context;
    private final Part part;
    private final AwaitedAnswer outcome;
    private final Answer gone;
    private final List<Payload> pieces = new ArrayList<>();
    private long bytes;
    private long seen;

    /**
     * The response to one call for a part.
     *
     * @param outcome when there is no further part
     * @param gone    when there is no such task any more
     */
    PartResponse(Context context, Place from, Part part, AwaitedAnswer outcome, Answer gone) {
        this.context = context;
        this.part = part;
        this.outcome = outcome;
        this.gone = gone;
        seen = from.told();
    }

    @Override
    public Optional<Answer> before(Task task, TaskEvent event) {
        if (event.what() instanceof Happening.Emitted(var piece)) {
            if (!pieces.isEmpty() && bytes + piece.size() > PART_BYTES) {
                return Optional.of(pieces(task));
            }
            pieces.add(piece);
            bytes += piece.size() + OVERHEAD;
        }
        seen = event.seq();
        return Optional.empty();
    }

    @Override
    public Optional<Answer> current(Task task, boolean isTooLate) {
        if (!pieces.isEmpty()) {
            return Optional.of(pieces(task));
        }
        var other = outcome.current(task, false);
        return other.isPresent() || !isTooLate
                ? other
                : Optional.of(part.words()
                        .upTo(
                                new Place(task, seen),
                                PartWords.nothing(TaskViews.of(context).of(task), part.first()),
                                false));
    }

    private Answer pieces(Task task) {
        return part.words().upTo(new Place(task, seen), PartWords.pieces(pieces, part.first()), true);
    }

    @Override
    public Answer gone(Task task) {
        return gone;
    }

    @Override
    public long told(Task task) {
        return seen;
    }

    @Override
    public Instant until() {
        return part.until();
    }
}
