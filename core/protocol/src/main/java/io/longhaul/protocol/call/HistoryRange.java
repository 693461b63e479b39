// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of a task's history that a client asks for.
 *
 * @param after the event after which the part begins; 0 for the whole history
 * @param limit the most events that are wanted
 * @param types of events that are wanted, see {@link HistoryEvent}; empty for all
 * @param written the place in what the work has written behind which it is wanted too, 0 for all: it comes as events of
 *     type {@link HistoryEvent#OUTPUT}, in place of partial output; null where it is not wanted
 * @param patience how long the answer may wait for an event where there is none so far
 */
public record HistoryRange(
        long after, int limit, Set<String> types, @Nullable Long written, Duration patience) {

    public HistoryRange {
        types = Set.copyOf(types);
    }

    /** Whether events of that type are wanted. */
    public boolean takes(String type) {
        return types.isEmpty() || types.contains(type);
    }
}
