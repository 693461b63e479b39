// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.request;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.TaskTime.Alarm;
import io.longhaul.protocol.Guard;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Waits of equal length, nearly all of which are cancelled before their end. They end in the order in which they began,
 * so a queue with one alarm serves them all. Thread-safe.
 */
public final class EqualWaits {

    private final TaskTime time;
    private final Duration length;
    private final Guard lock = new Guard();
    private final Deque<Waiting> row = new ArrayDeque<>();

    /** The wait for whose end an alarm is set; null without an alarm. */
    private @Nullable Waiting awaited;

    public EqualWaits(TaskTime time, Duration length) {
        this.time = time;
        this.length = length;
    }

    /** A wait in the queue, until it ends or is cancelled. */
    private static final class Waiting {
        private final Instant until;
        private @Nullable Runnable whenOver;

        Waiting(Instant until, Runnable whenOver) {
            this.until = until;
            this.whenOver = whenOver;
        }
    }

    /** Begins a wait that can be cancelled. {@code whenOver} must not block. */
    public Alarm begin(Runnable whenOver) {
        var waiting = new Waiting(time.now().plus(length), whenOver);
        lock.run(() -> {
            row.addLast(waiting);
            arm();
        });
        return () -> lock.run(() -> {
            waiting.whenOver = null;
            dropGivenUp();
        });
    }

    private void dropGivenUp() {
        while (!row.isEmpty() && row.getFirst().whenOver == null) {
            row.removeFirst();
        }
    }

    private void arm() {
        if (awaited == null && !row.isEmpty()) {
            awaited = row.getFirst();
            time.at(awaited.until, this::end);
        }
    }

    private void end() {
        lock.run(() -> {
            var now = time.now();
            for (dropGivenUp(); !row.isEmpty() && isOver(row.getFirst(), now); dropGivenUp()) {
                var over = row.removeFirst().whenOver;
                if (over != null) {
                    over.run();
                }
            }
            awaited = null;
            arm();
        });
    }

    /** A wait that seems to have more than its whole length left began before the clock was set back. */
    private boolean isOver(Waiting waiting, Instant now) {
        return waiting.equals(awaited) || !waiting.until.isAfter(now) || waiting.until.isAfter(now.plus(length));
    }
}
