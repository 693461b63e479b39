// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Numbered messages of one kind about one task: which of them a client must be told, and which it was told. */
final class ModelSeries {

    private final Set<Integer> owed = new TreeSet<>();
    private final Set<Integer> told = new TreeSet<>();

    /** What streams that go on from the record have repeated. */
    private final Set<Integer> repeated = new TreeSet<>();

    /** What the work may have reported twice or never, since the server was killed meanwhile. */
    private final Set<Integer> uncertain = new TreeSet<>();

    /** What was to be repeated on a stream that was resumed after the server was killed, and perhaps on another one. */
    private final Set<Integer> twice = new TreeSet<>();

    /** What a stream which is resumed from the record has to tell again. */
    private final Set<Integer> owedAgain = new TreeSet<>();

    /** Whether a stream that goes on from the record tells again what the session was told elsewhere. */
    private final boolean isRepeated;

    ModelSeries(boolean isRepeated) {
        this.isRepeated = isRepeated;
    }

    void owe(int number) {
        owed.add(number);
    }

    /** Takes note of what was told; false where the client knew it already. */
    boolean tell(int number, boolean repeats) {
        return (repeats ? repeated : told).add(number)
                || repeats
                || uncertain.contains(number)
                || twice.contains(number);
    }

    /** Whether a stream that is opened may be told of this again, as of how far the task is. */
    boolean isLast(int number) {
        return told.stream().allMatch(other -> other <= number);
    }

    /** The highest number that was told, or 0. */
    int lastTold() {
        return told.stream().mapToInt(number -> number).max().orElse(0);
    }

    /** It may be told on another stream, or on none. */
    void doubt(int number) {
        uncertain.add(number);
    }

    /** It may be told twice. */
    void mayRepeat(int number) {
        twice.add(number);
    }

    boolean isUncertain(int number) {
        return uncertain.contains(number);
    }

    /** What was not sent is sent on the stream alone that was to carry it, where the client comes back to that. */
    void lost() {
        owed.removeIf(number -> !isTold(number));
    }

    /** The server was killed over this. */
    void crashed(IntStream unsure) {
        lost();
        unsure.forEach(uncertain::add);
    }

    /** The client comes back to a stream behind an event before this number: that stream alone owes it. */
    void forget(int number) {
        told.remove(number);
        if (isRepeated) {
            owed.add(number);
            owedAgain.add(number);
        } else {
            owed.remove(number);
        }
    }

    /** A stream that goes on from the record owes it, whatever was repeated before. */
    void oweAgain(int number) {
        repeated.remove(number);
        forget(number);
    }

    /** The stream that was to tell something again has broken, or has told it. */
    void owesNoMore() {
        owed.removeIf(number -> owedAgain.contains(number) && !isTold(number));
        owedAgain.clear();
    }

    /** Another session begins, which was told nothing. */
    void begin() {
        owed.clear();
        owedAgain.clear();
        told.clear();
        repeated.clear();
    }

    private boolean isTold(int number) {
        return told.contains(number) || repeated.contains(number);
    }

    /** Whether a number follows another one with none between that was reported for sure. */
    boolean isNext(int number, int last) {
        return IntStream.range(last + 1, number).allMatch(uncertain::contains);
    }

    boolean hasAllOwed() {
        return owed.stream().allMatch(number -> isTold(number) || isUncertain(number));
    }

    @Override
    public String toString() {
        return told + " of " + owed;
    }
}
