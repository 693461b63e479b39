// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.admit;

import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.Guard;
import io.longhaul.receiver.question.QuestionKey;
import io.longhaul.receiver.session.Session;
import java.util.Map;

/**
 * How many answers that do not fit the client of a session has given to each question. A client that answers by itself
 * gives the same answer again as soon as it is asked again, without an end. In memory. Thread-safe.
 */
final class UnfitAnswers implements Session.Part {

    /** The last of so many answers that do not fit is taken for an error of the client. */
    static final int MOST = 3;

    private static final int REMEMBERED = 100;

    private final Guard lock = new Guard();
    private final Map<QuestionKey, Integer> counts = BoundedMap.byInsertion(REMEMBERED);

    private UnfitAnswers() {}

    static UnfitAnswers of(Session session) {
        return session.part(UnfitAnswers.class, UnfitAnswers::new);
    }

    /** Counts one more; false where it is the last. */
    boolean mayBeGivenAgain(QuestionKey question) {
        return lock.get(() -> counts.merge(question, 1, Integer::sum)) < MOST;
    }
}
