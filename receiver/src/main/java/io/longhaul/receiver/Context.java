package io.longhaul.receiver;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.protocol.WireLimits;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * What all parts of one receiver share.
 *
 * @param engine keeps the tasks
 * @param server what it says of itself
 * @param limits of messages, sessions and streams
 * @param rounds how calls are answered in rounds
 * @param random unpredictable
 */
public record Context(
        TaskEngine engine, ServerIdentity server, WireLimits limits, Rounds rounds, RandomGenerator random) {

    private static final int ID_BYTES = 18;
    private static final int PAGE = 200;

    public Instant now() {
        return engine.time().now();
    }

    /** The events of a task behind one of them, oldest first, read from the record as they are taken. */
    public Stream<TaskEvent> history(Task task, long after) {
        return Stream.iterate(
                        page(task, after),
                        page -> !page.isEmpty(),
                        page -> page(task, page.getLast().seq()))
                .flatMap(List::stream);
    }

    private List<TaskEvent> page(Task task, long after) {
        return engine.history(task.owner(), task.id(), after, PAGE);
    }

    /** An id of 144 random bits in visible ASCII. */
    public String newId() {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
