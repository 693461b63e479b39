// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import io.longhaul.protocol.call.TaskView.State;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A query for tasks: a task matches where it fits all fields.
 *
 * @param owner  the name of the principal that owns the task; null for all that the client may see
 * @param tool   the tool that was called; null for any
 * @param states the states that match; empty for any
 * @param since  the earliest time of creation; null for any time
 * @param parent the id of the parent; null for any
 */
public record TaskQuery(
        @Nullable String owner,
        @Nullable String tool,
        Set<State> states,
        @Nullable Instant since,
        @Nullable String parent) {

    /** All tasks that the client may see. */
    public static final TaskQuery ALL = new TaskQuery(null, null, Set.of(), null, null);

    public TaskQuery {
        states = Set.copyOf(states);
    }
}
