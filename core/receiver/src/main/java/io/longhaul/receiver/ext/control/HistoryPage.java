// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.control;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.WrittenOutput;
import io.longhaul.engine.store.WrittenOutput.Piece;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.HistoryEvent;
import io.longhaul.protocol.call.HistoryRange;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.receiver.Context;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A part of the history of a task, and of what its work has written, in the order of time. Not thread-safe. */
final class HistoryPage {

    /** The most events of a history that are read for one answer, and the approximate size of the answer in bytes. */
    private static final int LOOKED_AT = 2_000;

    private static final int BYTES = 1 << 20;

    /** How many events before a page tell what its first status message may repeat. */
    private static final int BEFORE = 3;

    private final Task task;
    private final HistoryRange range;
    private final RepeatedOutput said = new RepeatedOutput();
    private final List<TaskEvent> events = new ArrayList<>();
    private final List<Piece> pieces = new ArrayList<>();
    private long last;
    private boolean hasMore;

    private HistoryPage(Task task, HistoryRange range) {
        this.task = task;
        this.range = range;
        last = range.after();
    }

    /** Whether there is anything that the range asks for. */
    static boolean hasNews(Context context, Task task, HistoryRange range) {
        return task.position().lastEvent() > range.after()
                || range.written() != null
                        && !output(context, task).read(range.written(), 1).isEmpty();
    }

    static CallResponse.History of(Context context, Task task, HistoryRange range) {
        var page = new HistoryPage(task, range);
        boolean isFull = page.readPieces(output(context, task));
        boolean isCut = page.readEvents(context);
        page.alignEnds(isFull, isCut);
        return page.response();
    }

    private static WrittenOutput output(Context context, Task task) {
        return new WrittenOutput(context.engine().rows(), task.id());
    }

    /** Whether more pieces may follow. */
    private boolean readPieces(WrittenOutput output) {
        Long after = range.written();
        if (after == null) {
            return false;
        }
        long bytes = 0;
        // The piece before the page tells what the first status message may repeat.
        for (var piece : output.read(Math.max(0, after - 1), BYTES)) {
            if (piece.next() <= after) {
                said.put(piece.text());
            } else if (pieces.size() < range.limit()) {
                pieces.add(piece);
                bytes += piece.text().length();
            }
        }
        return pieces.size() == range.limit() || bytes >= BYTES / 2;
    }

    /** What was written stands in place of partial output, which is a part of it. */
    private boolean isWritten() {
        Long after = range.written();
        return after != null && (after > 0 || !pieces.isEmpty());
    }

    /** Whether more events follow. */
    private boolean readEvents(Context context) {
        long bytes = 0;
        int looked = 0;
        long end = task.position().lastEvent();
        var all = context.history(task, Math.max(0, last - BEFORE)).iterator();
        while (last < end && events.size() < range.limit() && bytes < BYTES && looked < LOOKED_AT && all.hasNext()) {
            TaskEvent event = all.next();
            boolean isTaken = range.takes(HistoryEvents.type(event.what()))
                    && !(event.what() instanceof EventDetail.Emitted && isWritten());
            if (event.seq() > range.after()) {
                if (isTaken) {
                    events.add(event);
                    bytes += event.what().bytes();
                }
                last = event.seq();
                looked++;
            } else if (isTaken) {
                said.isRepeated(HistoryEvents.of(task, event));
            }
        }
        return last < end;
    }

    /** Leaves what is later than the end of the other part to the next page. */
    private void alignEnds(boolean isFull, boolean isCut) {
        hasMore = isFull || isCut;
        boolean isShorter = false;
        while (isFull
                && !events.isEmpty()
                && events.getLast().at().isAfter(pieces.getLast().at())) {
            last = events.removeLast().seq() - 1;
            isShorter = true;
        }
        while (isCut
                && !isShorter
                && !events.isEmpty()
                && !pieces.isEmpty()
                && pieces.getLast().at().isAfter(events.getLast().at())) {
            pieces.removeLast();
        }
    }

    private CallResponse.History response() {
        Long written = range.written() == null || pieces.isEmpty()
                ? range.written()
                : Long.valueOf(pieces.getLast().next());
        var all = new ArrayList<HistoryEvent>();
        pieces.forEach(piece -> all.add(event(piece)));
        events.forEach(event -> all.add(HistoryEvents.of(task, event)));
        all.sort(Comparator.comparing(HistoryEvent::at));
        all.removeIf(said::isRepeated);
        return new CallResponse.History(
                all, last, hasMore, TaskView.State.valueOf(task.state().name()), written);
    }

    private static HistoryEvent event(Piece piece) {
        var text = piece.text().endsWith("\n")
                ? piece.text().substring(0, piece.text().length() - 1)
                : piece.text();
        return new HistoryEvent(
                0,
                piece.at(),
                HistoryEvent.OUTPUT,
                JsonWriter.object().member("data", text).end());
    }
}
