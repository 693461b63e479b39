// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.transition;

import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Task;
import java.util.List;
import java.util.Set;

/** The decision of {@link Transitions} on a command. */
public sealed interface Decision {

    /**
     * The change is legal and must be committed; the effects follow only after the commit.
     *
     * @param after   the new snapshot, its version one more than before
     * @param events  the new events of the history
     * @param effects what to do once the change is durable
     */
    record Accepted(Task after, List<TaskEvent> events, Set<Effect> effects) implements Decision {
        public Accepted {
            events = List.copyOf(events);
            effects = Set.copyOf(effects);
        }
    }

    /** The command is refused and nothing changes. */
    record Refused(Reason reason) implements Decision {}

    /** Why a command was refused. */
    enum Reason {
        /** The task had ended before. */
        ENDED,
        /** The table has no such transition. */
        ILLEGAL,
        /** None of the named questions is outstanding. */
        NOT_OUTSTANDING,
        /** A question with that key was asked before. */
        KEY_USED,
        /** The work was known to have stopped. */
        ALREADY_STOPPED
    }
}
