package io.longhaul.server;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What one client must be told of one task, and what it was told. */
final class ModelLedger {

    final ModelWork work;
    final TreeSet<Integer> owed = new TreeSet<>();
    final TreeSet<Integer> told = new TreeSet<>();

    /** What streams that go on from the record have repeated. */
    final Set<Integer> repeated = new TreeSet<>();

    /** Steps that the work may have reported twice or never, since the server was killed meanwhile. */
    final Set<Integer> uncertain = new TreeSet<>();

    /** Steps that a stream which is resumed from the record has to tell again. */
    private final Set<Integer> owedAgain = new TreeSet<>();

    private boolean endIsOwedAgain;

    /** How often the session was told of the end. */
    int ends;

    /** A stream that goes on from the record has repeated the end. */
    boolean endIsRepeated;

    /** The end is not owed on a new stream, but on one that is resumed from before. */
    boolean endIsPast;

    /** The stream that the open question went out on last, and where. */
    @Nullable
    ModelStream holder;

    int heldAt;

    /** The number of that question. */
    int put;

    @Nullable
    JsonNode question;

    /** The last question that the client had answered before the present step of the simulation. */
    int answered;

    ModelLedger(ModelWork work) {
        this.work = work;
    }

    /** The server was killed: what it had not sent it sends on resumed streams alone. */
    void crashed() {
        holder = null;
        owed.removeIf(step -> !told.contains(step) && !repeated.contains(step));
        if (work.progress > 0) {
            uncertain.add(work.progress);
        }
        endIsPast |= work.over && !isEndTold();
    }

    /** What a stream that is resumed from the record with an event id has to tell again. */
    void owes(ModelStream stream, ModelStream.Position from) {
        for (int step = 1; step <= work.progress; step++) {
            boolean isBehind = from.isBefore(work, work.reportedAt(step)) && !stream.hasSeen(work, step);
            if (isBehind && !uncertain.contains(step) && !work.cancelled) {
                repeated.remove(step);
                forget(step);
            }
        }
        if (work.over && from.isBefore(work, work.overAt)) {
            forgetEnd();
            endIsPast = false;
        }
    }

    /** The client comes back to a stream behind an event before this step: that stream alone owes the step. */
    void forget(int step) {
        told.remove(step);
        owed.add(step);
        owedAgain.add(step);
    }

    /** See {@link #forget}. */
    void forgetEnd() {
        ends = 0;
        endIsRepeated = false;
        endIsOwedAgain = true;
    }

    /** The stream that was to tell something again has broken, or has told it. */
    void owesNoMore() {
        owed.removeIf(step -> owedAgain.contains(step) && !told.contains(step) && !repeated.contains(step));
        owedAgain.clear();
        endIsPast |= endIsOwedAgain && !isEndTold();
        endIsOwedAgain = false;
    }

    boolean isEndTold() {
        return ends > 0 || endIsRepeated || endIsPast;
    }

    /** Whether a step follows another one with none between that was reported for sure. */
    boolean isNext(int step, int last) {
        return IntStream.range(last + 1, step).allMatch(uncertain::contains);
    }

    boolean hasAllOwed() {
        return owed.stream().allMatch(step -> told.contains(step) || repeated.contains(step));
    }

    /** The server takes a question back. */
    void withdraw(JsonNode id) {
        if (question != null && question.path("id").equals(id)) {
            question = null;
        }
    }

    /** Whether the client has an unanswered question before it, on a stream that lives. */
    boolean isOpen() {
        return question != null && holder != null && holder.isOpen();
    }

    /** Whether the client has this question before it, on a stream that lives. */
    boolean isInFront(int number) {
        return holder != null && holder.isOpen() && put == number;
    }
}
