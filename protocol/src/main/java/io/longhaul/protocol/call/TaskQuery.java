// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import io.longhaul.protocol.call.TaskView.State;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks a client asks for: those that have all of it.
 *
 * @param owner  the name of their principal; null for all that the client may see
 * @param tool   whose calls they are; null for any
 * @param states one of which they are in; empty for any
 * @param since  when they were created, or later; null for any time
 * @param parent the id of the task that has called them; null for any
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
