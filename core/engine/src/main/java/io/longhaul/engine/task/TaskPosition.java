// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import java.time.Instant;

/**
 * Which of a task's snapshots this is, and how far the task's history goes.
 *
 * @param version    1 at creation, one more with each commit
 * @param lastEvent  sequence number of the latest event of its history, which starts with 1
 * @param lastOutput sequence number of the latest piece of partial output, 0 for none
 * @param lastLog    sequence number of the latest log line, 0 for none
 * @param updatedAt  when the snapshot was committed
 */
public record TaskPosition(long version, long lastEvent, long lastOutput, long lastLog, Instant updatedAt) {

    /** A position of a task without partial output and without log lines. */
    public TaskPosition(long version, long lastEvent, Instant updatedAt) {
        this(version, lastEvent, 0, 0, updatedAt);
    }
}
