// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.TaskView;
import io.longhaul.requestor.RequestorSettings;
import io.longhaul.requestor.RequestorTime;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The time between two polls of one task: the last value of the server, which may send it only once, but no less than
 * the caller wants. For one thread.
 */
final class PollInterval {

    private static final Duration USUAL = Duration.ofSeconds(1);

    /** The longest interval, even where the server wants a longer one. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    /** The least interval while the server tells of each change. */
    private static final Duration WHILE_TOLD = Duration.ofSeconds(30);

    private final RequestorTime time;
    private final Consumer<String> trouble;
    private final Duration atLeast;
    private boolean warned;
    private Duration interval = USUAL;

    PollInterval(RequestorSettings settings, Consumer<String> trouble) {
        this.time = settings.time();
        this.atLeast = settings.timeouts().poll();
        this.trouble = trouble;
    }

    /** The time until the next poll. */
    Duration after(TaskView task) {
        read(task);
        return bounded(interval);
    }

    /** The time until the next poll, while the server tells of each change. */
    Duration whileTold(TaskView task) {
        read(task);
        return bounded(longer(interval, WHILE_TOLD));
    }

    private void read(TaskView task) {
        interval = task.poll().isZero() ? interval : task.poll();
        if (interval.compareTo(LONGEST) > 0 && !warned) {
            warned = true;
            trouble.accept("The server wants the task to be looked at every " + interval.toSeconds()
                    + " s; that is cut to " + LONGEST.toSeconds() + " s.");
        }
    }

    /** The interval within its bounds, plus a small random part, so that many clients do not poll at once. */
    private Duration bounded(Duration wait) {
        var bounded = longer(wait.compareTo(LONGEST) > 0 ? LONGEST : wait, atLeast);
        return bounded.plusMillis((long) (bounded.toMillis() * 0.1 * time.chance()));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
