// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.admit;

import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.Guard;
import io.longhaul.receiver.question.QuestionKey;
import io.longhaul.receiver.session.Session;
import java.util.Map;

/**
 * Counts the answers that do not fit, for each question to the client of a session. An automatic client may repeat the
 * same answer to the same question without end. In memory. Thread-safe.
 */
final class UnfitAnswers implements Session.Part {

    /** The number of answers that do not fit after which the client is taken to be in error. */
    static final int MOST = 3;

    private static final int REMEMBERED = 100;

    private final Guard lock = new Guard();
    private final Map<QuestionKey, Integer> counts = BoundedMap.byInsertion(REMEMBERED);

    private UnfitAnswers() {}

    static UnfitAnswers of(Session session) {
        return session.part(UnfitAnswers.class, UnfitAnswers::new);
    }

    /** Counts one more answer; false where it reaches the limit. */
    boolean mayBeGivenAgain(QuestionKey question) {
        return lock.get(() -> counts.merge(question, 1, Integer::sum)) < MOST;
    }
}
