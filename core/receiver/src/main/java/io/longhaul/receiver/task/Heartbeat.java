// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends progress for a call whose work reports none for some time, so that a host with a timeout since the last
 * progress notification goes on waiting. Used by one thread at a time.
 */
public final class Heartbeat {

    /** The longest interval of a heartbeat. Hosts with a timeout since the last notification wait 30 s and more. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /** The heartbeats within the time that a host surely waits: one that is late does not end the call. */
    private static final int BEATS = 3;

    /** The amount that a heartbeat adds to the progress: less than any real step. */
    private static final double STEP = 1e-6;

    private final Json token;
    private final String task;
    private final Duration every;
    private Instant begun;
    private @Nullable ProgressView last;
    private volatile Instant next;

    private Heartbeat(Json token, String task, Duration every, Instant begun) {
        this.token = token;
        this.task = task;
        this.every = every;
        this.begun = begun;
        next = begun.plus(every);
    }

    /**
     * The heartbeat of a call that wants progress, or null.
     *
     * @param hold how long the host surely waits, or null where that is not known
     */
    public static @Nullable Heartbeat of(Call call, String task, @Nullable Duration hold, Instant begun) {
        Json token = call instanceof CallTool tool ? tool.extras().progressToken() : null;
        var part = hold == null ? LONGEST : hold.dividedBy(BEATS);
        return token == null ? null : new Heartbeat(token, task, part.compareTo(LONGEST) < 0 ? part : LONGEST, begun);
    }

    /** The time after {@code now} of the next heartbeat, if nothing is told before. */
    public Instant after(Instant now) {
        return next.isAfter(now) && !isSetBack(now) ? next : now.plus(every);
    }

    /** Whether the clock was set back, so that the time since the last notice is unknown. */
    private boolean isSetBack(Instant now) {
        return next.isAfter(now.plus(every));
    }

    /**
     * A notice with rising progress: "The progress value MUST increase with each notification", even where the first
     * progress of the work itself is 0.
     */
    public Notice rising(Notice notice, Instant now) {
        if (!(notice instanceof Notice.Progress progress)) {
            return notice;
        }
        toldAt(now);
        var told = progress.progress();
        boolean rises = last == null || told.current() > last.current();
        last = rises ? told : new ProgressView(above(last), told.total(), told.message());
        return rises ? notice : new Notice.Progress(progress.token(), last, progress.taskId(), progress.resources());
    }

    /** A heartbeat, where the client was told nothing for the interval. */
    public Optional<Notice> due(Task now, Instant at) {
        if (at.isBefore(next) && !isSetBack(at) || now.state().isTerminal()) {
            return Optional.empty();
        }
        toldAt(at);
        String message = said(now) + ", " + Duration.between(begun, at).toSeconds() + " s";
        var sign = new ProgressView(above(last), last == null ? null : last.total(), message);
        last = new ProgressView(sign.current(), sign.total(), last == null ? null : last.message());
        return Optional.of(new Notice.Progress(token, sign, task, TaskResources.of(now)));
    }

    /** The time on a clock that was set back counts on from the last notice. */
    private void toldAt(Instant now) {
        if (isSetBack(now)) {
            begun = begun.minus(Duration.between(now, next.minus(every)));
        }
        next = now.plus(every);
    }

    private String said(Task now) {
        if (last != null && last.message() != null) {
            return last.message();
        }
        if (now.status().message() != null) {
            return now.status().message();
        }
        return now.spec().work() + (now.state() == TaskState.SUBMITTED ? " waits for its turn" : " is running");
    }

    private static double above(@Nullable ProgressView told) {
        double value = told == null ? 0 : told.current();
        return Math.max(value + STEP, Math.nextUp(value));
    }
}
