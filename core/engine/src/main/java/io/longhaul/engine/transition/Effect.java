// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.transition;

import io.longhaul.engine.task.Ending;
import io.longhaul.engine.task.Task;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What must be done once a change is durable. Derived from the snapshots alone, so a crash in between loses nothing.
 */
public enum Effect {
    /** An attempt was counted: run the work. */
    RUN_WORK,
    /** An answer arrived: start a task again that waits without a thread. */
    DELIVER_ANSWER,
    /** The task has ended before its work: stop the work. */
    STOP_WORK,
    /** The task is no longer live: it no longer counts against its owner. */
    RELEASE_OWNER,
    /** The task and its work have ended: remove the task from memory. */
    FORGET;

    /**
     * The effects of the change from {@code before} to {@code after}.
     *
     * @param before null for a creation, and where this node reads a task for the first time, which may have ended
     */
    public static Set<Effect> between(@Nullable Task before, Task after) {
        var effects = EnumSet.noneOf(Effect.class);
        int startedBefore = before == null ? 0 : before.execution().attempts().started();
        if (after.execution().attempts().started() > startedBefore) {
            effects.add(RUN_WORK);
        }
        Ending ending = after.ending();
        if (before != null && answered(after) > answered(before)) {
            effects.add(DELIVER_ANSWER);
        }
        if (ending != null && (before == null || before.ending() == null)) {
            effects.add(RELEASE_OWNER);
            if (!ending.workEnded()) {
                effects.add(STOP_WORK);
            }
        }
        if (after.hasEndedWork()) {
            effects.add(FORGET);
        }
        return effects;
    }

    private static int answered(Task task) {
        return task.status().inputs().size() - task.outstanding().size();
    }
}
