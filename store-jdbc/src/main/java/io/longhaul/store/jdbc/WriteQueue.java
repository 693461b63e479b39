package io.longhaul.store.jdbc;

import io.longhaul.engine.store.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes. Whatever waits when it looks goes into one transaction, so that one sync of the disk
 * serves all; nobody is answered before that sync.
 */
final class WriteQueue {

    /** One thing to write. It may be run again after the transaction around it was rolled back. */
    @FunctionalInterface
    interface Write<T> {
        T run(Session session) throws SQLException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(WriteQueue.class);
    private static final int MAX_GROUP = 1_024;

    private final Path file;
    private final Session session;
    private final Runnable afterRollback;
    private final BlockingQueue<Waiting<?>> queue = new LinkedBlockingQueue<>();
    private final Waiting<Boolean> end = new Waiting<>(ended -> true);
    private final Thread thread;
    private boolean closed;
    private @Nullable StoreException broken;

    /** {@code afterRollback} forgets what was remembered of rows that are not there. */
    WriteQueue(Path file, Session session, Runnable afterRollback) {
        this.file = file;
        this.session = session;
        this.afterRollback = afterRollback;
        thread = Thread.ofPlatform().name("longhaul-store-writer").daemon().unstarted(this::serve);
        thread.start();
    }

    /** Runs {@code write} in a transaction, and returns its answer once that is durable. */
    <T> T write(Write<T> write) {
        var waiting = new Waiting<>(write);
        enqueue(waiting);
        return waiting.await();
    }

    /** Writes what waits, and ends the thread; the session is closed then. */
    void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            queue.add(end);
        }
        end.await();
    }

    private synchronized void enqueue(Waiting<?> waiting) {
        if (closed) {
            throw new StoreException("task store " + file + " is closed");
        }
        queue.add(waiting);
    }

    private void serve() {
        var group = new ArrayList<Waiting<?>>();
        var open = true;
        while (open) {
            group.clear();
            group.add(next());
            queue.drainTo(group, MAX_GROUP);
            open = !group.remove(end);
            if (!group.isEmpty()) {
                writeAll(group);
            }
        }
        try {
            session.close();
        } catch (SQLException e) {
            LOG.warn("Task store {} did not close cleanly; nothing committed is lost", file, e);
        } finally {
            end.succeed();
        }
    }

    private Waiting<?> next() {
        while (true) {
            try {
                return queue.take();
            } catch (InterruptedException e) {
                LOG.debug("Nobody may interrupt the writer of a task store", e);
            }
        }
    }

    private void writeAll(List<Waiting<?>> group) {
        if (broken != null) {
            group.forEach(waiting -> waiting.fail(broken));
            return;
        }
        if (!tryTogether(group) && group.size() > 1) {
            group.forEach(waiting -> tryTogether(List.of(waiting)));
        }
    }

    /** Whether it is settled: false where one of several could not be run, and nothing at all was written. */
    private boolean tryTogether(List<Waiting<?>> group) {
        try {
            session.begin("IMMEDIATE");
            for (var waiting : group) {
                waiting.run(session);
            }
        } catch (SQLException | RuntimeException e) {
            rollback();
            if (group.size() == 1) {
                group.getFirst().fail(e instanceof SQLException sql ? failed(sql) : (RuntimeException) e);
            }
            return false;
        }
        try {
            session.commit();
        } catch (SQLException e) {
            rollback();
            var failure = failed(e);
            group.forEach(waiting -> waiting.fail(failure));
            return true;
        }
        group.forEach(Waiting::succeed);
        return true;
    }

    /** After a failed sync the system may have dropped what it could not write, so no later success can be believed. */
    private StoreException failed(SQLException failure) {
        var told = Failures.of(file, failure);
        LOG.error("Writing to a task store failed", told);
        if (Failures.isFinal(failure)) {
            broken = told;
        }
        return told;
    }

    private void rollback() {
        afterRollback.run();
        try {
            session.rollback();
        } catch (SQLException e) {
            LOG.debug("SQLite had rolled back by itself", e);
        }
    }

    /** A write and the thread that waits for it. */
    private static final class Waiting<T> extends Answer<T> {
        private final Write<T> write;
        private @Nullable T answer;

        Waiting(Write<T> write) {
            this.write = write;
        }

        void run(Session session) throws SQLException {
            answer = write.run(session);
        }

        void succeed() {
            give(answer);
        }
    }
}
