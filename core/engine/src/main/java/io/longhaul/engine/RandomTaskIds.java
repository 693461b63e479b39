// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine;

import io.longhaul.engine.task.TaskId;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** Task ids of 48 bits of time and 128 random bits that cannot be guessed. Thread-safe. */
public final class RandomTaskIds {

    private static final int RANDOM_BYTES = 16;

    private final RandomGenerator random;

    /** Uses {@link SecureRandom}. */
    public RandomTaskIds() {
        this(new SecureRandom());
    }

    /** @param random unpredictable, such as {@link SecureRandom} */
    public RandomTaskIds(RandomGenerator random) {
        this.random = random;
    }

    /** An id never given before, sorting after those of earlier milliseconds. */
    public TaskId next(Instant createdAt) {
        var bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        var chance = ByteBuffer.wrap(bytes);
        return TaskId.of(createdAt.toEpochMilli(), chance.getLong(), chance.getLong());
    }
}
