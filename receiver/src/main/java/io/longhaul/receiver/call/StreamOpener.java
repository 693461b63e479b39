package io.longhaul.receiver.call;

import io.longhaul.engine.TaskTime;
import io.longhaul.protocol.Guard;
import io.longhaul.receiver.request.Reply;
import io.longhaul.receiver.session.LiveCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Opens the stream of each reply that is not sent within a second. Nearly all are sent before, and all wait for the
 * same time, so that they wait in a row and one alarm serves them all. Thread-safe.
 */
final class StreamOpener {

    private static final Duration WAIT = Duration.ofSeconds(1);

    private final TaskTime time;
    private final Guard lock = new Guard();
    private final Deque<Waiting> row = new ArrayDeque<>();
    private boolean armed;

    StreamOpener(TaskTime time) {
        this.time = time;
    }

    /** A reply in the row, until it is sent. */
    private static final class Waiting {
        private final Instant until;
        private @Nullable Reply reply;

        Waiting(Instant until, Reply reply) {
            this.until = until;
            this.reply = reply;
        }
    }

    void add(Reply reply, LiveCall live) {
        var waiting = new Waiting(time.now().plus(WAIT), reply);
        live.ended().thenRun(() -> remove(waiting));
        lock.run(() -> {
            row.addLast(waiting);
            arm();
        });
    }

    private void remove(Waiting sent) {
        lock.run(() -> {
            sent.reply = null;
            dropSent();
        });
    }

    private void dropSent() {
        while (!row.isEmpty() && row.getFirst().reply == null) {
            row.removeFirst();
        }
    }

    private void arm() {
        if (!armed && !row.isEmpty()) {
            armed = true;
            time.at(row.getFirst().until, this::open);
        }
    }

    private void open() {
        lock.run(() -> {
            var now = time.now();
            for (dropSent(); !row.isEmpty() && !row.getFirst().until.isAfter(now); dropSent()) {
                var late = row.removeFirst().reply;
                if (late != null) {
                    Thread.ofVirtual().name("open-stream").start(() -> late.open(null));
                }
            }
            armed = false;
            arm();
        });
    }
}
