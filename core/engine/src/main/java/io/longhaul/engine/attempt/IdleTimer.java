// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.node.EngineContext;
import io.longhaul.engine.slot.RunSlot;
import io.longhaul.engine.store.WrittenOutput;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.transition.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Ends an attempt that says nothing for too long. A word of the attempt sets no alarm: the one alarm of the timer finds
 * out how long the attempt has said nothing. Time without a slot, in which the attempt waits for an answer or a child,
 * does not count. Thread-safe.
 */
final class IdleTimer {

    /** An attempt that goes on with a job is given this time to read what the job has said without it. */
    private static final Duration FIRST_LOOK = Duration.ofMinutes(1);

    private final EngineContext parts;
    private final Task begun;
    private final RunSlot slot;
    private final WrittenOutput written;
    private Duration longest = Duration.ZERO;
    private final AtomicReference<Instant> last;
    private volatile boolean isSilent;
    private @Nullable Consumer<Runnable> looks;
    private Runnable end = () -> {};
    private TaskTime.@Nullable Alarm alarm;

    /**
     * @param begun   the task as this attempt began
     * @param written its output, also of earlier attempts
     */
    IdleTimer(EngineContext parts, Task begun, RunSlot slot, WrittenOutput written) {
        this.parts = parts;
        this.begun = begun;
        this.slot = slot;
        this.written = written;
        last = new AtomicReference<>(parts.time().now());
        // The attempt goes on with a job that may have been silent for long.
        isSilent = begun.execution().handle() != null
                && begun.execution().attempts().started() > 1;
    }

    /**
     * Begins to count.
     *
     * @param fork  runs a look, which may read the store
     * @param atEnd ends the attempt
     */
    synchronized void start(Duration most, Consumer<Runnable> fork, Runnable atEnd) {
        longest = most;
        looks = fork;
        end = atEnd;
        boolean isSoon = isSilent && FIRST_LOOK.compareTo(most) < 0;
        lookAt(last.get().plus(isSoon ? FIRST_LOOK : most));
    }

    /** What an attempt records is a word; reports that are stored late are none, and neither is a handle. */
    void stored(Command command) {
        if (command instanceof Command.Record) {
            reset();
        }
    }

    /** The attempt has said something, or ends a wait. */
    void reset() {
        last.set(parts.time().now());
        isSilent = false;
    }

    synchronized void stop() {
        looks = null;
        if (alarm != null) {
            alarm.cancel();
        }
    }

    private synchronized void lookAt(Instant due) {
        var fork = looks;
        if (fork != null) {
            alarm = parts.time().at(due, () -> {
                Instant now = parts.time().now();
                fork.accept(() -> look(due, now));
            });
        }
    }

    private void look(Instant expected, Instant now) {
        Instant due = (slot.isHeld() ? since(expected, now) : now).plus(longest);
        if (due.isAfter(now)) {
            lookAt(due);
        } else {
            end.run();
        }
    }

    /** Since when nothing was said. An alarm comes in time, so that another time than expected means a set clock. */
    private Instant since(Instant expected, Instant now) {
        Instant word = last.get();
        Instant from = isSilent ? lastWord().orElse(word) : word;
        if (now.isAfter(expected) || from.isAfter(now)) {
            var moved = from.plus(Duration.between(expected, now));
            from = moved.isAfter(now) ? now : moved;
            if (last.compareAndSet(word, from)) {
                isSilent = false;
            }
        }
        return from;
    }

    /** When the task last said something before this attempt; empty where that is not known. */
    private Optional<Instant> lastWord() {
        var said = Replay.lastWord(parts.store(), begun.id(), begun.position().lastEvent());
        return Stream.concat(said.stream(), written.writtenAt().stream()).max(Comparator.naturalOrder());
    }
}
