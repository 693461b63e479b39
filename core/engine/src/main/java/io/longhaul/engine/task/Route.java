// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The key by which the creator of a task finds the task again. Several tasks may have the same route.
 *
 * @param group  without a slash; the tasks of a group are found in the order of their creation
 * @param member the part of the group that the task belongs to; does not end with a slash. A route without a member
 *               finds the tasks of the whole group, and is the route of no task
 */
public record Route(String group, @Nullable String member) {

    private static final String CHILDREN = "parent:";

    public Route {
        if (group.isEmpty() || group.contains("/")) {
            throw new IllegalArgumentException("the group of a route is not empty and has no slash: '" + group + "'");
        }
    }

    /**
     * The route by which a task finds its children: the child that was called by {@code name}, or all children where
     * {@code name} is null.
     */
    public static Route ofChildren(TaskId parent, @Nullable String name) {
        return new Route(CHILDREN + parent, name);
    }

    /** The task whose children this route finds; null where the route finds other tasks. */
    @Nullable
    TaskId parent() {
        return group.startsWith(CHILDREN) ? new TaskId(group.substring(CHILDREN.length())) : null;
    }

    /** The route of a task as one text. */
    public String text() {
        return group + "/" + Objects.requireNonNull(member, "a task is a member of its group");
    }

    /** Whether a task with that route is found by this one. */
    public boolean finds(@Nullable Route other) {
        return other != null && group.equals(other.group) && (member == null || member.equals(other.member));
    }
}
