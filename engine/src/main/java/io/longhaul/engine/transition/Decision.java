// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.transition;

import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import java.util.List;
import java.util.Set;

/** What {@link Transitions} says to a command. */
public sealed interface Decision {

    /**
     * To be committed as it is; the effects follow only after that.
     *
     * @param after   the new snapshot, its version one more than before
     * @param events  the new lines of its history
     * @param effects what to do once it is durable
     */
    record Accepted(Task after, List<TaskEvent> events, Set<Effect> effects) implements Decision {
        public Accepted {
            events = List.copyOf(events);
            effects = Set.copyOf(effects);
        }
    }

    /** Nothing changes; {@code task} is what it was decided on. */
    record Refused(Task task, Command command, Reason reason) implements Decision {

        /** What happened, for an operator. */
        public String explain() {
            return command.kind() + " refused for task " + task.id() + " in state " + task.state() + ": " + reason;
        }
    }

    /** Why a command was refused. */
    enum Reason {
        /** The task has ended before. */
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
