// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import java.time.Instant;

/**
 * The id of a task: 48 bits of time and 128 random bits, as lower-case base32hex. Ids sort in the order of their
 * creation, and cannot be guessed.
 *
 * @param value 36 characters of {@code [0-9a-v]}
 */
public record TaskId(String value) implements Comparable<TaskId> {

    /** Length of every id in characters. */
    public static final int LENGTH = 36;

    private static final int BITS_OF_DIGIT = 5;
    private static final String DIGITS = "0123456789abcdefghijklmnopqrstuv";
    private static final int RANDOM_BITS = 128;
    private static final long LAST_MILLIS = (1L << 48) - 1;

    public TaskId {
        if (!isWellFormed(value)) {
            throw new IllegalArgumentException("not a task id: '" + value + "'");
        }
    }

    /** When the task was created, to the millisecond. */
    public Instant createdAt() {
        // The random bits that come after the time begin within this digit.
        int end = LENGTH - RANDOM_BITS / BITS_OF_DIGIT;
        long first = Long.parseLong(value.substring(0, end), 1 << BITS_OF_DIGIT);
        return Instant.ofEpochMilli(first >> RANDOM_BITS % BITS_OF_DIGIT);
    }

    /** The least id that can be given at this time or later; ids contain milliseconds since 1970. */
    public static TaskId first(Instant createdAt) {
        long millis = Math.clamp(createdAt.toEpochMilli(), 0, LAST_MILLIS);
        return of(millis, 0, 0);
    }

    /**
     * The id of a task.
     *
     * @param millis of its creation, since 1970: the lowest 48 bits count
     * @param high   the first 64 random bits
     * @param low    the last 64 random bits
     */
    public static TaskId of(long millis, long high, long low) {
        long first = millis & LAST_MILLIS;
        long middle = high;
        long last = low;
        var digits = new char[LENGTH];
        for (int i = LENGTH - 1; i >= 0; i--) {
            digits[i] = DIGITS.charAt((int) last & DIGITS.length() - 1);
            last = last >>> BITS_OF_DIGIT | middle << Long.SIZE - BITS_OF_DIGIT;
            middle = middle >>> BITS_OF_DIGIT | first << Long.SIZE - BITS_OF_DIGIT;
            first >>>= BITS_OF_DIGIT;
        }
        return new TaskId(new String(digits));
    }

    /** Whether {@code value} has the form of a task id; any other value is an alias or unknown. */
    public static boolean isWellFormed(String value) {
        if (value.length() != LENGTH) {
            return false;
        }
        for (int i = 0; i < LENGTH; i++) {
            char c = value.charAt(i);
            if (!(c >= '0' && c <= '9' || c >= 'a' && c <= 'v')) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int compareTo(TaskId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
