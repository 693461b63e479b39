package io.longhaul.receiver;

import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where in which side stream a message stands. The number finds it among the messages that are kept in memory; the mark
 * is enough to go on from the durable record, after a restart too.
 *
 * @param stream names the stream, and belongs to one session
 * @param number counts the messages of the stream from 1
 * @param mark   what the message told
 */
record SideCursor(String stream, long number, Mark mark) {

    private static final int PARTS = 6;
    private static final int TAG_BYTES = 6;

    /**
     * What was told up to here.
     *
     * @param at   when it happened, to the millisecond
     * @param task whose event it was, or null for none
     * @param seq  the last event of that task that was told
     */
    record Mark(Instant at, @Nullable TaskId task, long seq) {
        static Mark of(Task task, TaskEvent event) {
            return new Mark(event.at(), task.id(), event.seq());
        }

        static Mark of(Task task) {
            return new Mark(task.stamp().updatedAt(), task.id(), task.stamp().lastEvent());
        }
    }

    /** A name for a new stream of a session, from random text. */
    static String name(String session, String random) {
        return random + tag(session, random);
    }

    /** Whether the stream is one of that session. */
    boolean isOf(String session) {
        int random = stream.length() - tag("", "").length();
        return random > 0 && name(session, stream.substring(0, random)).equals(stream);
    }

    /** As the id of an event. */
    String text() {
        String task = mark.task() == null ? "" : mark.task().value();
        return "side." + stream + "." + number + "." + mark.at().toEpochMilli() + "." + task + "." + mark.seq();
    }

    static Optional<SideCursor> of(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != PARTS
                || !parts[0].equals("side")
                || !parts[1].matches("[A-Za-z0-9_-]{1,64}")
                || !parts[2].matches("[0-9]{1,18}")
                || !parts[3].matches("[0-9]{1,15}")
                || !parts[4].isEmpty() && !TaskId.isWellFormed(parts[4])
                || !parts[5].matches("[0-9]{1,18}")) {
            return Optional.empty();
        }
        var task = parts[4].isEmpty() ? null : new TaskId(parts[4]);
        var mark = new Mark(Instant.ofEpochMilli(Long.parseLong(parts[3])), task, Long.parseLong(parts[5]));
        return Optional.of(new SideCursor(parts[1], Long.parseLong(parts[2]), mark));
    }

    private static String tag(String session, String random) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest((session + " " + random).getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(java.util.Arrays.copyOf(digest, TAG_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
