// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver;

import io.longhaul.protocol.Require;
import java.time.Duration;

/**
 * How calls are answered in rounds. A client of 2026-07-28 repeats its call with the answers to the server's questions.
 * A client that takes results part by part repeats its call for the next part.
 *
 * @param keyRotation how long one key seals what clients carry between rounds, before a new key replaces it
 * @param waiting     how many handlers wait in memory for their answers; beyond that number, a handler ends at its
 *     question and runs again from its start when the answers come
 * @param partWait    how long a call waits for the next part of a result where its tool says nothing
 * @param tokenLife   how long a token for the next part is valid where its tool says nothing, a week at most
 */
public record Rounds(Duration keyRotation, int waiting, Duration partWait, Duration tokenLife) {

    /** The longest time for which a token is valid. */
    public static final Duration LONGEST_LIFE = Duration.ofDays(7);

    /** Keys for a week, a thousand handlers, ten seconds for the next part, tokens for a week. */
    public static final Rounds DEFAULT = new Rounds(Duration.ofDays(7), 1_000);

    /** Ten seconds for the next part, and tokens for a week. */
    public Rounds(Duration keyRotation, int waiting) {
        this(keyRotation, waiting, Duration.ofSeconds(10), LONGEST_LIFE);
    }

    public Rounds {
        Require.that(keyRotation.isPositive(), "keys must seal for a while, not " + keyRotation);
        Require.that(waiting >= 0, "no fewer than 0 handlers can wait, not " + waiting);
        Require.that(!partWait.isNegative(), "the wait for a part cannot be negative: " + partWait);
        if (tokenLife.isNegative() || tokenLife.isZero() || tokenLife.compareTo(LONGEST_LIFE) > 0) {
            throw new IllegalArgumentException("tokens are good for up to " + LONGEST_LIFE + ", not " + tokenLife);
        }
    }
}
