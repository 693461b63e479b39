// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is to be done once the other side of a stream has left, as {@link EventStream#onGone} has it. Thread-safe. */
public final class GoneActions {

    private @Nullable List<Runnable> waiting = new ArrayList<>();
    private boolean hasLeft;

    /** Runs an action when the other side leaves; at once where it has left, and never where the stream has ended. */
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

    /** The other side has left: gives the actions, which the caller runs. None where that, or the end, came before. */
    public synchronized List<Runnable> left() {
        var actions = waiting;
        if (actions == null) {
            return List.of();
        }
        waiting = null;
        hasLeft = true;
        return actions;
    }

    /** The stream has ended: its actions are forgotten. */
    public synchronized void ended() {
        waiting = null;
    }
}
