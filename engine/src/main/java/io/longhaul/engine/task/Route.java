package io.longhaul.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * By what the creator of a task finds the task again. Several tasks may have the same route.
 *
 * @param group  without a slash; the tasks of a group are found in the order of their creation
 * @param member what of the group the task belongs to; null finds the tasks of the whole group
 */
public record Route(String group, @Nullable String member) {

    public Route {
        if (group.isEmpty() || group.contains("/")) {
            throw new IllegalArgumentException("the group of a route has no slash: '" + group + "'");
        }
    }

    /** Whether a task with that route is found by this one. */
    public boolean finds(@Nullable Route other) {
        return other != null && group.equals(other.group) && (member == null || member.equals(other.member));
    }
}
