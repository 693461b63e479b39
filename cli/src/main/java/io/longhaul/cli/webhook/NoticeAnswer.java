// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.webhook;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** What became of one try to tell a recipient. */
sealed interface NoticeAnswer {

    /** The pause after the first try, which doubles with each one. */
    Duration FIRST_PAUSE = Duration.ofSeconds(5);

    Duration LONGEST_PAUSE = Duration.ofHours(1);

    /** It has the message. */
    record Taken() implements NoticeAnswer {}

    /** It wants no such messages any more. */
    record Gone() implements NoticeAnswer {}

    /**
     * It is told again.
     *
     * @param why  in a few words
     * @param asked the pause that it has asked for
     */
    record Again(String why, Optional<Duration> asked) implements NoticeAnswer {}

    /**
     * By the status of an answer. A redirect is none of these: whoever wants the messages is in the file.
     *
     * @param asked the pause that the answer asks for
     */
    static NoticeAnswer of(int status, Optional<Duration> asked) {
        if (status >= 200 && status < 300) {
            return new Taken();
        }
        return status == 410 ? new Gone() : new Again("it answered with " + status, asked);
    }

    /** How long to wait after so many tries: half of a doubling pause for sure, and some of the other half. */
    static Duration pause(int tries, RandomGenerator random) {
        int doubled = Math.min(Math.max(tries - 1, 0), 10);
        var whole = FIRST_PAUSE.multipliedBy(1L << doubled);
        long half = (whole.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : whole).toMillis() / 2;
        return Duration.ofMillis(half + random.nextLong(half + 1));
    }
}
