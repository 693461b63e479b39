// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine;

import io.longhaul.engine.task.TaskState;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The live tasks, queues and slots of an engine at one moment. They are counted in memory: neither the store nor a task
 * is touched. The figures are read one after the other while tasks go on, so that sums may differ by the tasks that
 * changed meanwhile.
 *
 * @param works       each kind of work that the engine was offered or has live tasks of, in no order
 * @param slots       how much work may run at once in all, {@link TaskLimits#running}
 * @param slotsTaken  how many slots are taken, also by work that is being stopped
 */
public record TaskStatistics(List<OfWork> works, int slots, int slotsTaken) {

    /** An engine that has nothing to do. */
    public static final TaskStatistics NONE = new TaskStatistics(List.of(), 0, 0);

    public TaskStatistics {
        works = List.copyOf(works);
    }

    /**
     * The tasks of one kind of work.
     *
     * @param work      its name
     * @param states    the states of the tasks whose work has not ended; a final state means that the work is being
     *                  stopped
     * @param questions how many questions wait for their answer
     * @param queue     how many attempts wait for a slot
     */
    public record OfWork(String work, Map<TaskState, InState> states, int questions, int queue) {
        public OfWork {
            states = Map.copyOf(states);
        }
    }

    /**
     * Tasks in one state.
     *
     * @param tasks  how many, at least one
     * @param oldest when the oldest of them was created
     */
    public record InState(int tasks, Instant oldest) {

        /** With one more task. */
        public InState and(Instant createdAt) {
            return new InState(tasks + 1, createdAt.isBefore(oldest) ? createdAt : oldest);
        }
    }
}
