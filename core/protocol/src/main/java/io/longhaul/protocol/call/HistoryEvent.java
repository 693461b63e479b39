// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import io.longhaul.protocol.json.Json;
import java.time.Instant;
import java.util.List;

/**
 * One event in the history of a task.
 *
 * @param seq    its number in the history of the task, counted from 1; 0 for what the work has written
 * @param type   one of {@link #TYPES}
 * @param detail the fields of the type, as an object
 */
public record HistoryEvent(long seq, Instant at, String type, Json detail) {

    public static final String LOG = "log";
    public static final String OUTPUT = "output";

    /** All types of events in the history of a task. */
    public static final List<String> TYPES = List.of(
            "created",
            "started",
            "progress",
            "status",
            LOG,
            OUTPUT,
            "step",
            "asked",
            "answered",
            "crashed",
            "handed_back",
            "ended",
            "work_ended");
}
