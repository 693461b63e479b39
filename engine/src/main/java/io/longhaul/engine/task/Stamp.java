package io.longhaul.engine.task;

import java.time.Instant;

/**
 * Which of a task's snapshots this is.
 *
 * @param version   1 at creation, one more with each commit
 * @param lastEvent sequence number of the latest event of its history, which starts with 1
 * @param updatedAt when it was committed
 */
public record Stamp(long version, long lastEvent, Instant updatedAt) {}
