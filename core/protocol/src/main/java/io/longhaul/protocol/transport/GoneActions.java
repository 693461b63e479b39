// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The actions to run when the other side of a stream has left, for {@link EventStream#onGone}. Thread-safe. */
public final class GoneActions {

    private @Nullable List<Runnable> waiting = new ArrayList<>();
    private boolean hasLeft;

    /**
     * Adds an action for the time when the other side leaves. The action runs at once where the other side has left,
     * and never where the stream has ended.
     */
    public void add(Runnable action) {
        synchronized (this) {
            if (waiting != null) {
                waiting.add(action);
                return;
            }
            if (!hasLeft) {
                return;
            }
        }
        action.run();
    }

    /**
     * Notes that the other side has left, and returns the actions, which the caller runs. Empty where the other side
     * had left or the stream had ended before.
     */
    public synchronized List<Runnable> left() {
        var actions = waiting;
        if (actions == null) {
            return List.of();
        }
        waiting = null;
        hasLeft = true;
        return actions;
    }

    /** Notes that the stream has ended, and drops its actions. */
    public synchronized void ended() {
        waiting = null;
    }
}
