// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The result of one attempt to tell a recipient. */
sealed interface NoticeReception {

    /** The pause after the first attempt, which doubles with each attempt. */
    Duration FIRST_PAUSE = Duration.ofSeconds(5);

    Duration LONGEST_PAUSE = Duration.ofHours(1);

    /** The recipient has the message. */
    record Taken() implements NoticeReception {}

    /** The recipient wants no more messages. */
    record Gone() implements NoticeReception {}

    /**
     * The message is sent again.
     *
     * @param why  the reason in a few words
     * @param asked the pause that the recipient has asked for
     */
    record Again(String why, Optional<Duration> asked) implements NoticeReception {}

    /**
     * The result for the status of an answer. A redirect counts as a failure, because only the address in the file is
     * told.
     *
     * @param asked the pause that the answer asks for
     */
    static NoticeReception of(int status, Optional<Duration> asked) {
        if (status >= 200 && status < 300) {
            return new Taken();
        }
        return status == 410 ? new Gone() : new Again("it answered with " + status, asked);
    }

    /** The pause after a number of attempts: half of a doubling pause, plus a random part of the other half. */
    static Duration pause(int tries, RandomGenerator random) {
        int doubled = Math.min(Math.max(tries - 1, 0), 10);
        var whole = FIRST_PAUSE.multipliedBy(1L << doubled);
        long half = (whole.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : whole).toMillis() / 2;
        return Duration.ofMillis(half + random.nextLong(half + 1));
    }
}
