// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskTime.Alarm;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.RandomText;
import io.longhaul.protocol.WireLimits;
import io.longhaul.receiver.node.Nodes;
import io.longhaul.receiver.observe.ObservedServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What all parts of one receiver share.
 *
 * @param engine   keeps the tasks
 * @param server   what the server says of itself
 * @param choices  of the deployer
 * @param observed tells observers what is done for whom
 * @param nodes    the other nodes over the same store
 * @param random   unpredictable
 */
public record Context(
        TaskEngine engine,
        ServerIdentity server,
        Choices choices,
        ObservedServer observed,
        Nodes nodes,
        RandomGenerator random) {

    private static final int ID_BYTES = 18;
    private static final int PAGE = 200;

    /** The limits of messages, sessions and streams. */
    public WireLimits limits() {
        return choices.limits();
    }

    /** How calls are answered in rounds. */
    public Rounds rounds() {
        return choices.rounds();
    }

    /** How calls of long-running tools are answered in hosts that know no tasks. */
    public PlainHosts hosts() {
        return choices.hosts();
    }

    /** How often each caller may ask. */
    public RateGate rates() {
        return choices.rates();
    }

    public Instant now() {
        return engine.time().now();
    }

    /** Runs {@code action} after {@code wait}, on a thread that must not block. */
    public Alarm after(Duration wait, Runnable action) {
        return engine.time().at(now().plus(wait), action);
    }

    /** The events of a task after the event {@code after}, oldest first. The stream reads them lazily. */
    public Stream<TaskEvent> history(Task task, long after) {
        return paged(last -> engine.history(task.owner(), task.id(), last == null ? after : last.seq(), PAGE));
    }

    /**
     * All items of a list that is read page by page. The stream reads each page lazily.
     *
     * @param next gives the page after an item, or the first page for null; an empty page at the end
     */
    public static <T> Stream<T> paged(Function<@Nullable T, List<T>> next) {
        return Stream.iterate(next.apply(null), page -> !page.isEmpty(), page -> next.apply(page.getLast()))
                .flatMap(List::stream);
    }

    /** The rows of a space whose keys begin with {@code beginning}, by their keys. The stream reads pages lazily. */
    public static Stream<StoredRow> rows(TaskEngine engine, String space, String beginning) {
        return Context.<StoredRow>paged(last -> engine.rows()
                        .list(
                                space,
                                last == null ? beginning : last.key(),
                                PAGE,
                                engine.time().now()))
                .takeWhile(row -> row.key().startsWith(beginning));
    }

    /** An id of 144 random bits in visible ASCII. */
    public String newId() {
        return RandomText.of(random, ID_BYTES);
    }
}
