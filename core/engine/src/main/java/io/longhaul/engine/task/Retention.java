// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How long a task is kept, and from when the duration is counted. A running task is never removed.
 *
 * @param basis    what the duration is counted from
 * @param duration how long
 * @param afterEnd the task is kept at least this long after its end, however long it ran
 */
public record Retention(Basis basis, Duration duration, Duration afterEnd) {

    /** What a retention is counted from. */
    public enum Basis {
        CREATION,
        COMPLETION,
        /**
         * Counted from when the last session that joined the task has left. The task is kept until then: only sessions
         * know that time, and set another retention then.
         */
        LEAVING
    }

    /** Counted from the creation of the task. */
    public static Retention fromCreation(Duration duration) {
        return new Retention(Basis.CREATION, duration, Duration.ZERO);
    }

    /** Counted from the end of the task. */
    public static Retention fromCompletion(Duration duration) {
        return new Retention(Basis.COMPLETION, duration, Duration.ZERO);
    }

    /** Counted from when the last session that joined the task has left. */
    public static Retention fromLeaving(Duration duration) {
        return new Retention(Basis.LEAVING, duration, Duration.ZERO);
    }

    /** This retention, but at least {@code afterEnd} after the end of the task. */
    public Retention atLeast(Duration afterEnd) {
        return new Retention(basis, duration, afterEnd);
    }

    /** When a task may be removed, or null while that cannot be known: the task runs, or a session has joined it. */
    public @Nullable Instant expiry(Instant createdAt, @Nullable Instant endedAt) {
        if (endedAt == null || basis == Basis.LEAVING) {
            return null;
        }
        Instant asked = (basis == Basis.CREATION ? createdAt : endedAt).plus(duration);
        Instant earliest = endedAt.plus(afterEnd);
        return asked.isAfter(earliest) ? asked : earliest;
    }
}
