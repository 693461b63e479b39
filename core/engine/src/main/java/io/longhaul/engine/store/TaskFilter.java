// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.store;

import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects the tasks of a list: those that meet every condition. Immutable.
 *
 * @param owner  the owner of the tasks; null for the tasks of all owners
 * @param work   the name of the work (tool) of the tasks; null for any
 * @param states the states that a task may be in; empty for any
 * @param since  the earliest time of creation, to the millisecond, as task ids have it; null for any time
 * @param parent the parent of the tasks; children have the owner of their parent; null for any
 */
public record TaskFilter(
        @Nullable Owner owner,
        @Nullable String work,
        Set<TaskState> states,
        @Nullable Instant since,
        @Nullable TaskId parent) {

    /** All tasks of all owners. */
    public static final TaskFilter ALL = new TaskFilter(null, null, Set.of(), null);

    public TaskFilter {
        states = Set.copyOf(states);
        if (parent != null && owner == null) {
            throw new IllegalArgumentException("children are found by the owner of their parent, too");
        }
    }

    /** A filter for tasks of any parent, or of none. */
    public TaskFilter(@Nullable Owner owner, @Nullable String work, Set<TaskState> states, @Nullable Instant since) {
        this(owner, work, states, since, null);
    }

    /** All tasks of one owner. */
    public static TaskFilter of(Owner owner) {
        return ALL.ownedBy(owner);
    }

    /** This filter, for tasks of this owner alone. */
    public TaskFilter ownedBy(Owner other) {
        return new TaskFilter(other, work, states, since, parent);
    }

    /** This filter, for tasks of this work alone. */
    public TaskFilter ofWork(String name) {
        return new TaskFilter(owner, name, states, since, parent);
    }

    /** This filter, for tasks in one of these states alone. */
    public TaskFilter in(TaskState... wanted) {
        return new TaskFilter(owner, work, Set.of(wanted), since, parent);
    }

    /** This filter, for tasks that were created at {@code time} or later. */
    public TaskFilter createdSince(Instant time) {
        return new TaskFilter(owner, work, states, time, parent);
    }

    /** This filter, for the children of this task alone. */
    public TaskFilter childrenOf(Task task) {
        return new TaskFilter(task.owner(), work, states, since, task.id());
    }

    public boolean matches(Task task) {
        return (owner == null || owner.equals(task.owner()))
                && (work == null || work.equals(task.spec().work()))
                && (parent == null || parent.equals(task.spec().parent()))
                && takes(task.state())
                && (since == null || TaskId.first(since).compareTo(task.id()) <= 0);
    }

    /** Whether a task in this state is listed. */
    public boolean takes(TaskState state) {
        return states.isEmpty() || states.contains(state);
    }

    /** Whether the filter takes live tasks alone. */
    public boolean isOfLive() {
        return !states.isEmpty() && states.stream().noneMatch(TaskState::isTerminal);
    }
}
