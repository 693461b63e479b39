// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.history;

import io.longhaul.engine.task.TaskPosition;
import java.time.Instant;
import java.util.List;

/**
 * One line of a task's history.
 *
 * @param seq  the sequence number, counted from 1 without gaps, in the order of commits
 * @param at   when it happened
 * @param what what happened
 */
public record TaskEvent(long seq, Instant at, EventDetail what) {

    /** The position of the snapshot that follows from these events on the one of {@code before}. */
    public static TaskPosition positionAfter(TaskPosition before, List<TaskEvent> events, Instant now) {
        long output = before.lastOutput();
        long log = before.lastLog();
        for (var event : events) {
            switch (event.what()) {
                case EventDetail.Emitted piece -> output = event.seq();
                case EventDetail.Logged line -> log = event.seq();
                default -> {
                    // a requestor reads no other event as a resource
                }
            }
        }
        return new TaskPosition(before.version() + 1, before.lastEvent() + events.size(), output, log, now);
    }
}
