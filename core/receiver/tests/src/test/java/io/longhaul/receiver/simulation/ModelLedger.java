// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What one client must be told of one task, and what it was told. */
final class ModelLedger {

    final ModelWork work;
    final ModelSeries steps;
    final ModelSeries lines = new ModelSeries(true);

    /** The progress tokens with which the session has called or joined the task. */
    final Set<String> tokens = new HashSet<>();

    /** A stream of the session was lost, which may have been to carry what is owed: the next one does. */
    private boolean waitsForStream;

    /** The session was told of the task when it called, or has joined it. */
    boolean isOfSession;

    /** ... and was before the present step of the simulation. */
    boolean wasOfSession;

    /** A request or call of the task has lost its stream in the present step, with what was to go on that. */
    boolean hasLostCall;

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

    /** When it went out there, by the place of that event among all. */
    long heldSince;

    /** The number of that question. */
    int put;

    @Nullable
    JsonNode question;

    /** The last question that the client had answered before the present step of the simulation. */
    int answered;

    /** @param repeatsSteps whether steps are told again which the session was told, where a stream is resumed */
    ModelLedger(ModelWork work, boolean repeatsSteps) {
        this.work = work;
        steps = new ModelSeries(repeatsSteps);
    }

    /**
     * A stream that carries messages of the task was lost.
     *
     * @param isElsewhere whether the next one may be at another node, which tells what happens from then on, and ends
     */
    void lost(ModelStream stream, boolean isElsewhere) {
        if (stream.kind == ModelStream.Kind.GET && isElsewhere) {
            steps.lost();
            lines.lost();
        } else if (stream.kind == ModelStream.Kind.GET) {
            waitsForStream = true;
        } else if (work.equals(stream.work)) {
            steps.lost();
            lines.lost();
            hasLostCall = true;
        }
    }

    /** The client gives up a call that it reads slowly: what waits on the stream of that call is told to nobody. */
    void givesUp() {
        steps.lost();
        lines.lost();
    }

    /** Another session begins, which is told nothing of the task before it asks for that. */
    void begin() {
        tokens.clear();
        steps.begin();
        lines.begin();
        isOfSession = false;
        wasOfSession = false;
        waitsForStream = false;
        endIsOwedAgain = false;
        endIsRepeated = false;
        endIsPast = true;
        ends = 0;
        holder = null;
        question = null;
        put = 0;
    }

    /** Whether the client was told all steps and lines that it must have been, as far as its streams go. */
    boolean hasAllOwed(boolean isStreamOpen) {
        boolean hasAll = steps.hasAllOwed() && lines.hasAllOwed();
        waitsForStream = waitsForStream && !hasAll;
        return hasAll || waitsForStream && !isStreamOpen;
    }

    /** The server was killed: what it had not sent it sends on resumed streams alone. */
    void crashed() {
        holder = null;
        // The last step may not have been stored, the last line may be logged again.
        steps.crashed(IntStream.rangeClosed(Math.max(1, work.steps()), work.steps()));
        lines.crashed(work.undone(ModelWork.Does.LOG));
        endIsPast |= work.over && !isEndTold();
    }

    /** What a stream that is resumed from the record with an event id has to tell again. */
    void owes(ModelStream stream, ModelStream.Position from) {
        if (!work.cancelled && isOfSession) {
            IntStream.rangeClosed(1, work.steps())
                    .filter(step -> from.isBefore(work, work.reportedAt(step)))
                    .filter(step -> !stream.hasSeen(steps, step) && !steps.isUncertain(step))
                    .forEach(steps::oweAgain);
        }
        if (work.over && isOfSession && from.isBefore(work, work.overAt)) {
            forgetEnd();
            endIsPast = false;
        }
    }

    /** The client comes back to a stream behind an event before the end: that stream alone owes it. */
    void forgetEnd() {
        ends = 0;
        endIsRepeated = false;
        endIsOwedAgain = true;
    }

    /** The stream that was to tell something again has broken, or has told it. */
    void owesNoMore() {
        steps.owesNoMore();
        lines.owesNoMore();
        endIsPast |= endIsOwedAgain && !isEndTold();
        endIsOwedAgain = false;
    }

    boolean isEndTold() {
        return ends > 0 || endIsRepeated || endIsPast;
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
