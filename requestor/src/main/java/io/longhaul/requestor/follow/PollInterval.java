package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.TaskView;
import io.longhaul.requestor.RequestorTime;
import java.time.Duration;
import java.util.function.Consumer;

/** The time between two polls of one task, as the server said last, which it may say only once. For one thread. */
final class PollInterval {

    /** No task is polled more often. */
    private static final Duration SHORTEST = Duration.ofMillis(100);

    private static final Duration USUAL = Duration.ofSeconds(1);

    /** A task is polled this often also where the server wants to be polled less often. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    /** A task is polled no more often than this while the server tells of each change. */
    private static final Duration WHILE_TOLD = Duration.ofSeconds(30);

    /** How many polls come before the server's interval has passed for the first time. */
    private static final int EARLY = 3;

    private final RequestorTime time;
    private final Consumer<String> trouble;
    private int early;
    private boolean warned;
    private Duration interval = USUAL;

    private PollInterval(RequestorTime time, Consumer<String> trouble, int early) {
        this.time = time;
        this.trouble = trouble;
        this.early = early;
    }

    /** Only as often as the server wants. */
    static PollInterval steady(RequestorTime time, Consumer<String> trouble) {
        return new PollInterval(time, trouble, 0);
    }

    /** With a few polls within the first interval, at growing distances: what ends soon is seen soon. */
    static PollInterval soon(RequestorTime time, Consumer<String> trouble) {
        return new PollInterval(time, trouble, EARLY);
    }

    /** The time until the next poll. */
    Duration after(TaskView task) {
        read(task);
        var wait = interval.dividedBy(1L << early);
        early = Math.max(0, early - 1);
        return bounded(wait);
    }

    /** The time until the next poll, while the server tells of each change. */
    Duration whileTold(TaskView task) {
        read(task);
        return bounded(interval.compareTo(WHILE_TOLD) > 0 ? interval : WHILE_TOLD);
    }

    private void read(TaskView task) {
        interval = task.poll().isZero() ? interval : task.poll();
        if (interval.compareTo(LONGEST) > 0 && !warned) {
            warned = true;
            trouble.accept("The server wants the task to be looked at every " + interval.toSeconds()
                    + " s; that is cut to " + LONGEST.toSeconds() + " s.");
        }
    }

    /** A little longer by chance, so that many clients do not poll at the same moment. */
    private Duration bounded(Duration wait) {
        var bounded = wait.compareTo(LONGEST) > 0 ? LONGEST : wait.compareTo(SHORTEST) < 0 ? SHORTEST : wait;
        return bounded.plusMillis((long) (bounded.toMillis() * 0.1 * time.chance()));
    }
}
