// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a client that calls again for what comes next knows of the result of one task: the output behind each of its
 * tokens, which never changes, the rounds in which it was asked, and the end.
 */
final class ModelResult {

    /**
     * Where a call goes on.
     *
     * @param token  that the client brings, or null where it begins anew
     * @param pieces how many pieces of output came before
     */
    record Place(@Nullable String token, int pieces) {}

    /**
     * A question that a call was answered with.
     *
     * @param number among the questions of the work
     * @param key    under which the answer is given
     * @param state  that the client carries to the call that brings the answer
     * @param from   where that call goes on
     */
    record Round(int number, String key, String state, Place from) {}

    /** Numbers that the work may have reported twice or never, since the server was killed meanwhile. */
    static final class Uncertain {
        private final Set<Integer> numbers = new TreeSet<>();

        void add(IntStream more) {
            more.forEach(numbers::add);
        }

        boolean has(int number) {
            return numbers.contains(number);
        }

        boolean isNext(int number, int last) {
            return number > last
                    ? IntStream.range(last + 1, number).allMatch(this::has)
                    : number == last && has(number);
        }
    }

    private static final Place BEGINNING = new Place(null, 0);

    final ModelWork work;

    /** Whether its client can make the first call again. */
    final boolean keyed;

    final Uncertain uncertainSteps = new Uncertain();
    final Uncertain uncertainLines = new Uncertain();
    private final Uncertain uncertainPieces = new Uncertain();
    final List<Place> places = new ArrayList<>();
    final List<Round> rounds = new ArrayList<>();
    private final List<Integer> pieces = new ArrayList<>();
    private final Map<Integer, String> keys = new HashMap<>();
    private @Nullable String end;

    /** The last question that the client had answered before the present step of the simulation. */
    int answered;

    /** A question that was put by a request, with its number. */
    @Nullable
    Question question;

    record Question(int number, String id) {}

    ModelResult(ModelWork work, boolean keyed) {
        this.work = work;
        this.keyed = keyed;
        if (keyed) {
            places.add(BEGINNING);
        }
    }

    /** The place of the first call. */
    static Place beginning() {
        return BEGINNING;
    }

    /** The server knows the task, as far as the client has seen. */
    boolean isAcknowledged() {
        return !rounds.isEmpty() || places.stream().anyMatch(place -> place.token() != null);
    }

    /** The client can call for what comes next. */
    boolean canGoOn() {
        return !places.isEmpty() || !rounds.isEmpty();
    }

    /** The number of the last piece that came before a place, or 0. */
    int last(Place place) {
        return place.pieces() == 0 ? 0 : pieces.get(place.pieces() - 1);
    }

    /**
     * The client is given a part; gives what is wrong with that, or null.
     *
     * @param token for what comes behind it
     */
    @Nullable
    String part(Place from, List<Integer> more, String token) {
        int at = from.pieces();
        for (int piece : more) {
            int last = at == 0 ? 0 : pieces.get(at - 1);
            if (at < pieces.size() ? pieces.get(at) != piece : !uncertainPieces.isNext(piece, last)) {
                return "piece " + piece + " came behind " + last + " of " + pieces;
            }
            if (at == pieces.size()) {
                pieces.add(piece);
            }
            at++;
        }
        var place = new Place(token, at);
        places.add(place);
        return null;
    }

    /** The client is asked; gives what is wrong with that, or null. */
    @Nullable
    String asks(Round round) {
        rounds.add(round);
        String before = keys.putIfAbsent(round.number(), round.key());
        boolean isOther = before == null
                && keys.entrySet().stream()
                        .anyMatch(other -> other.getKey() != round.number()
                                && other.getValue().equals(round.key()));
        return isOther || before != null && !before.equals(round.key())
                ? "question " + round.number() + " came under the key " + round.key()
                : null;
    }

    /** The client is told the end; false where that differs from what it was told before. */
    boolean ends(String told) {
        boolean isSame = end == null || end.equals(told);
        end = told;
        return isSame;
    }

    boolean hasEnded() {
        return end != null;
    }

    /** The server was killed. */
    void crashed() {
        question = null;
        uncertainSteps.add(IntStream.rangeClosed(Math.max(1, work.steps()), work.steps()));
        uncertainLines.add(work.undone(ModelWork.Does.LOG));
        uncertainPieces.add(work.undone(ModelWork.Does.PARTIAL));
    }
}
