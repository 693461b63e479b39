// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.resume;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.ext.resume.PartTokens.PartRequest;
import io.longhaul.receiver.ext.resume.PartTokens.Position;
import io.longhaul.receiver.task.AwaitedAnswer;
import io.longhaul.receiver.task.TaskViews;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The response to a call for a part: the next output, the outcome, or the state of the work when the time is over. */
final class PartResponse implements AwaitedAnswer {

    /** The most output in one part; a larger piece is a part of its own. */
    private static final int PART_BYTES = 64 * 1024;

    /** The approximate size of a content item without its text. */
    private static final int OVERHEAD = 32;

    private final Context context;
    private final PartTokens tokens;
    private final PartRequest part;
    private final Instant until;
    private final AwaitedAnswer outcome;
    private final List<Payload> pieces = new ArrayList<>();
    private long bytes;
    private long seen;

    /**
     * @param from    the position after which the client wants more output
     * @param until   the end of the wait
     * @param outcome gives the answer where there is no further part
     */
    PartResponse(
            Context context, PartTokens tokens, PartRequest part, Position from, Instant until, AwaitedAnswer outcome) {
        this.context = context;
        this.tokens = tokens;
        this.part = part;
        this.until = until;
        this.outcome = outcome;
        seen = from.told();
    }

    @Override
    public Optional<CallResponse> before(Task task, TaskEvent event) {
        if (event.what() instanceof EventDetail.Emitted(var piece)) {
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
    public Optional<CallResponse> current(Task task, boolean isTooLate) {
        if (!pieces.isEmpty()) {
            return Optional.of(pieces(task));
        }
        var other = outcome.current(task, false);
        return other.isPresent() || !isTooLate ? other : Optional.of(nothing(task));
    }

    private CallResponse nothing(Task task) {
        var standing = PartTexts.nothing(TaskViews.of(context).of(task), part.isFirst());
        return tokens.part(part, new Position(task, seen), standing, false);
    }

    private CallResponse pieces(Task task) {
        return tokens.part(part, new Position(task, seen), PartTexts.pieces(pieces, part.isFirst()), true);
    }

    @Override
    public CallResponse gone(Task task) {
        return PartTokens.UNKNOWN;
    }

    @Override
    public long told(Task task) {
        return seen;
    }

    @Override
    public Instant until() {
        return until;
    }
}
