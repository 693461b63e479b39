// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.settings;

import io.longhaul.file.text.WrittenDuration;
import io.longhaul.file.text.WrittenSize;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The limits that a deployer can set by name; {@code docs/LIMITS.md} describes each. */
public enum Limit {
    MESSAGE_BYTES("messageBytes", Unit.SIZE, 1 << 10, 1 << 30),
    JSON_DEPTH("jsonDepth", Unit.NUMBER, 8, 500),
    SESSIONS("sessions", Unit.NUMBER, 1, 1_000_000),
    SESSION_IDLE("sessionIdle", Unit.TIME, Span.SECOND, Span.YEAR),
    SUBSCRIPTIONS("subscriptions", Unit.NUMBER, 1, 1_000_000),
    OPEN_CONNECTIONS("openConnections", Unit.NUMBER, 1, 1_000_000),
    HTTP_TIMEOUT("httpTimeout", Unit.TIME, 1, Span.DAY),
    KEEP_ALIVE("keepAlive", Unit.TIME, 1, Span.DAY),
    REQUESTS_PER_SECOND("requestsPerSecond", Unit.NUMBER, 1, 1_000_000),
    CREATIONS_PER_MINUTE("creationsPerMinute", Unit.NUMBER, 1, 1_000_000),
    POLLS_PER_MINUTE("pollsPerMinute", Unit.NUMBER, 1, 1_000_000),
    LISTS_PER_MINUTE("listsPerMinute", Unit.NUMBER, 1, 1_000_000),
    PARKED_CALLS("parkedCalls", Unit.NUMBER, 0, 1_000_000),
    PART_WAIT("partWait", Unit.TIME, 1, Span.DAY),
    TOKEN_LIFE("tokenLife", Unit.TIME, Span.SECOND, 7 * Span.DAY),
    LIVE_PER_OWNER("livePerOwner", Unit.NUMBER, 1, 1_000_000),
    QUEUED_PER_OWNER("queuedPerOwner", Unit.NUMBER, 0, 1_000_000),
    RUNNING("running", Unit.NUMBER, 1, 1_000_000),
    INPUTS_PER_TASK("inputsPerTask", Unit.NUMBER, 0, 10_000),
    CHILDREN_PER_TASK("childrenPerTask", Unit.NUMBER, 0, 1_000_000),
    CHILD_DEPTH("childDepth", Unit.NUMBER, 0, 100),
    ANSWER_TIMEOUT("answerTimeout", Unit.TIME, 1, 10 * Span.YEAR),
    CRASH_ATTEMPTS("crashAttempts", Unit.NUMBER, 1, 1_000),
    HOLD("hold", Unit.TIME, 1, Span.DAY),
    JOINED_FOR("joinedFor", Unit.TIME, 1, Span.YEAR),
    LONGEST_RETENTION("longestRetention", Unit.TIME, Span.SECOND, 10 * Span.YEAR),
    SHORTEST_RETENTION("shortestRetention", Unit.TIME, 1, 10 * Span.YEAR),
    DEFAULT_RETENTION("defaultRetention", Unit.TIME, 1, 10 * Span.YEAR),
    PIECE_BYTES("pieceBytes", Unit.SIZE, 1, 1 << 30),
    OUTPUT_BYTES("outputBytes", Unit.SIZE, 1, 1L << 40),
    PROGRESS_INTERVAL("progressInterval", Unit.TIME, 1, Span.DAY),
    HAND_BACK_GRACE("handBackGrace", Unit.TIME, 1, Span.DAY),
    LAME_DUCK("lameDuck", Unit.TIME, 1, Span.DAY),
    OFFER_GRACE("offerGrace", Unit.TIME, 1, Span.DAY),
    NODE_LOST_AFTER("nodeLostAfter", Unit.TIME, 1, Span.YEAR);

    private final String word;
    private final Unit unit;
    private final long least;
    private final long most;

    Limit(String word, Unit unit, long least, long most) {
        this.word = word;
        this.unit = unit;
        this.least = least;
        this.most = most;
    }

    private enum Unit {
        NUMBER,
        SIZE,
        TIME
    }

    /** Durations in milliseconds. */
    private static final class Span {
        static final long SECOND = 1_000;
        static final long DAY = 86_400 * SECOND;
        static final long YEAR = 365 * DAY;
    }

    /** Whether a running server can take another value. */
    public boolean changes() {
        return switch (this) {
            case REQUESTS_PER_SECOND,
                    CREATIONS_PER_MINUTE,
                    POLLS_PER_MINUTE,
                    LISTS_PER_MINUTE,
                    LIVE_PER_OWNER,
                    RUNNING,
                    INPUTS_PER_TASK,
                    CHILDREN_PER_TASK,
                    CHILD_DEPTH,
                    ANSWER_TIMEOUT,
                    CRASH_ATTEMPTS,
                    PIECE_BYTES,
                    OUTPUT_BYTES,
                    PROGRESS_INTERVAL,
                    HAND_BACK_GRACE,
                    LAME_DUCK,
                    NODE_LOST_AFTER -> true;
            default -> false;
        };
    }

    /** The name in a file and on a command line. */
    public String word() {
        return word;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(Limit::word).toList();
    }

    /** The limit with this name, or empty where there is none. */
    public static Optional<Limit> named(String word) {
        return Arrays.stream(values()).filter(limit -> limit.word.equals(word)).findFirst();
    }

    /** The value of {@code text}, in bytes, milliseconds or as a number; empty where this limit does not allow it. */
    OptionalLong parse(String text) {
        var figure = figure(text.strip());
        return figure.isPresent() && figure.getAsLong() >= least && figure.getAsLong() <= most
                ? figure
                : OptionalLong.empty();
    }

    private OptionalLong figure(String text) {
        return switch (unit) {
            case NUMBER -> text.matches("\\d{1,9}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
            case SIZE -> WrittenSize.parse(text);
            case TIME ->
                WrittenDuration.parse(text)
                        .map(time -> OptionalLong.of(time.toMillis()))
                        .orElse(OptionalLong.empty());
        };
    }

    /** What to write, for error messages. */
    String advice() {
        return switch (unit) {
            case NUMBER -> "Write a number from " + least + " to " + most;
            case SIZE -> "Write a size such as 64KB or 2MB, from " + size(least) + " to " + size(most);
            case TIME -> "Write a time such as 90s, 5m, 1h30m or 2d, from " + time(least) + " to " + time(most);
        };
    }

    private static String size(long bytes) {
        int factor = Long.numberOfTrailingZeros(bytes) / 10;
        return (bytes >> factor * 10) + List.of("B", "KB", "MB", "GB", "TB").get(factor);
    }

    /** A time in the largest unit of which it is a multiple. */
    public static String time(long millis) {
        for (var unit : List.of("d", "h", "m", "s")) {
            long length = WrittenDuration.parse("1" + unit).orElseThrow().toMillis();
            if (millis % length == 0) {
                return millis / length + unit;
            }
        }
        return millis + "ms";
    }
}
