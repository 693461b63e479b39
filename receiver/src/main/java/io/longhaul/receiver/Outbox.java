package io.longhaul.receiver;

import io.longhaul.protocol.call.Notice;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices on their way to one client, which may read slowly: who has one to tell never waits. A notice that is still to
 * be sent is not queued a second time, so that only so many wait as there are different ones. Thread-safe.
 */
final class Outbox {

    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final SequencedSet<Notice> waiting = new LinkedHashSet<>();
    private final Consumer<Notice> send;
    private boolean open;
    private boolean sending;

    /** @param send sends one, and may block; what it throws ends nothing but its own turn */
    Outbox(Consumer<Notice> send) {
        this.send = send;
    }

    /** Sends what waits and what comes; before this, all of it waits. */
    void open() {
        lock.lock();
        try {
            open = true;
            start();
        } finally {
            lock.unlock();
        }
    }

    void put(Notice notice) {
        lock.lock();
        try {
            waiting.add(notice);
            start();
        } finally {
            lock.unlock();
        }
    }

    private void start() {
        if (open && !sending && !waiting.isEmpty()) {
            sending = true;
            Thread.ofVirtual().name("notices").start(this::drain);
        }
    }

    private void drain() {
        for (Notice next = next(); next != null; next = next()) {
            try {
                send.accept(next);
            } catch (RuntimeException e) {
                LOG.warn("a notice could not be sent: {}", next, e);
            }
        }
    }

    private Notice next() {
        lock.lock();
        try {
            if (waiting.isEmpty()) {
                sending = false;
                return null;
            }
            return waiting.removeFirst();
        } finally {
            lock.unlock();
        }
    }
}
