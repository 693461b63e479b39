// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks are listed: those that have all of it. Immutable.
 *
 * @param owner  whom they belong to; null for the tasks of all owners
 * @param work   the name of their work (tool); null for any
 * @param states one of which they are in; empty for any
 * @param since  when they were created, or later, to the millisecond as their ids have it; null for any time
 * @param parent whose children they are, which have its owner; null for any
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

    /** Whatever has called them. */
    public TaskFilter(@Nullable Owner owner, @Nullable String work, Set<TaskState> states, @Nullable Instant since) {
        this(owner, work, states, since, null);
    }

    /** All tasks of one owner. */
    public static TaskFilter of(Owner owner) {
        return ALL.ownedBy(owner);
    }

    /** Those of this owner alone. */
    public TaskFilter ownedBy(Owner other) {
        return new TaskFilter(other, work, states, since, parent);
    }

    /** Those of this work alone. */
    public TaskFilter ofWork(String name) {
        return new TaskFilter(owner, name, states, since, parent);
    }

    /** Those in one of these states alone. */
    public TaskFilter in(TaskState... wanted) {
        return new TaskFilter(owner, work, Set.of(wanted), since, parent);
    }

    /** Those alone that were created then or later. */
    public TaskFilter createdSince(Instant time) {
        return new TaskFilter(owner, work, states, time, parent);
    }

    /** The children of this task alone. */
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
