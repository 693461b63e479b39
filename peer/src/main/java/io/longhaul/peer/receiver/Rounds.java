package io.longhaul.peer.receiver;

import java.time.Duration;

/**
 * How calls are answered in rounds: a client of 2026-07-28 that is asked calls again with its answers.
 *
 * @param keyRotation how long one key seals what clients carry between rounds, before it makes way for a new one
 * @param waiting     how many handlers wait in memory for their answers; beyond that a handler ends where it asks, and
 *                    is run again from its start when the answers come
 */
public record Rounds(Duration keyRotation, int waiting) {

    /** Keys for a week, and a thousand handlers. */
    public static final Rounds DEFAULT = new Rounds(Duration.ofDays(7), 1_000);

    public Rounds {
        if (keyRotation.isNegative() || keyRotation.isZero()) {
            throw new IllegalArgumentException("keys must seal for a while, not " + keyRotation);
        }
        if (waiting < 0) {
            throw new IllegalArgumentException("no fewer than 0 handlers can wait, not " + waiting);
        }
    }
}
