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
 * serves all; no caller is answered before that sync.
 */
final class WriteQueue {

    /** One thing to write. It may be run again after the transaction around it was rolled back. */
    @FunctionalInterface
    interface Write<T> {
        T run(DatabaseSession session) throws SQLException;
    }

    /** What goes with every transaction. Called on the writer's thread. */
    interface Companion {

        /** The last statements of the transaction. */
        void complete(DatabaseSession session) throws SQLException;

        /** It is to become durable now; an exception means that the storage cannot be believed any more. */
        void committing();

        /** It is durable, and no caller was answered yet; an exception means that it cannot be believed. */
        void committed();

        /** Nothing of it is there. */
        void rolledBack();
    }

    private static final Logger LOG = LoggerFactory.getLogger(WriteQueue.class);
    private static final int MAX_GROUP = 1_024;

    private final Path file;
    private final DatabaseSession session;
    private final Companion companion;
    private final Operator operator;
    private final BlockingQueue<Waiting<?>> queue = new LinkedBlockingQueue<>();
    private final Waiting<Boolean> end = new Waiting<>(ended -> true);
    private final Thread thread;
    private boolean closed;
    private volatile @Nullable StoreException broken;

    WriteQueue(Path file, DatabaseSession session, Companion companion, Operator operator) {
        this.file = file;
        this.session = session;
        this.companion = companion;
        this.operator = operator;
        thread = Thread.ofPlatform().name("longhaul-store-writer").daemon().unstarted(this::serve);
        thread.start();
    }

    /** Runs {@code write} in a transaction, and returns its answer once that is durable. */
    <T> T write(Write<T> write) {
        var waiting = new Waiting<>(write);
        enqueue(waiting);
        return waiting.await(file);
    }

    /** Takes no more writes from now on: each is answered with {@code why}. */
    void refuse(StoreException why) {
        broken = why;
    }

    /** Writes what waits, and ends the thread; all is in the data file itself, and the session is closed then. */
    void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            queue.add(end);
        }
        end.await(file);
    }

    private synchronized void enqueue(Waiting<?> waiting) {
        if (closed) {
            throw new StoreException("task store " + file + " is closed");
        }
        queue.add(waiting);
    }

    private void serve() {
        var group = new ArrayList<Waiting<?>>(MAX_GROUP + 1);
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
        try (session) {
            if (broken == null) {
                session.query(row -> row.getInt(1), "PRAGMA wal_checkpoint(PASSIVE)");
            }
        } catch (SQLException e) {
            LOG.warn("Task store {} did not close cleanly ({}); nothing committed is lost", file, e.getMessage());
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

    /** Whatever is thrown, an {@link Error} too: all that wait are answered, and this thread goes on. */
    private void writeAll(List<Waiting<?>> group) {
        try {
            var refusal = broken;
            if (refusal != null) {
                group.forEach(waiting -> waiting.fail(refusal));
            } else if (!tryTogether(group) && group.size() > 1) {
                group.forEach(waiting -> writeAll(List.of(waiting)));
            }
        } catch (Throwable e) {
            fail(group, e);
        }
    }

    /** Whether it is settled: false where one of several could not be run, and nothing at all was written. */
    private boolean tryTogether(List<Waiting<?>> group) {
        try {
            session.begin("IMMEDIATE");
            for (var waiting : group) {
                waiting.run(session);
            }
            companion.complete(session);
        } catch (Throwable e) {
            rollback();
            if (group.size() == 1) {
                fail(group, e);
            }
            return false;
        }
        try {
            companion.committing();
            session.commit();
        } catch (Throwable e) {
            rollback();
            fail(group, e);
            if (e instanceof StoreException lost) {
                refuse(lost);
            }
            return true;
        }
        try {
            companion.committed();
        } catch (StoreException e) {
            refuse(e);
            fail(group, e);
            return true;
        }
        group.forEach(Waiting::succeed);
        return true;
    }

    /**
     * Answers first, then tells the operator. After a failed sync the system may have dropped what it could not write,
     * so no later success can be believed.
     */
    private void fail(List<Waiting<?>> group, Throwable failure) {
        for (var i = 0; i < group.size(); i++) {
            group.get(i).fail(failure);
        }
        var told = operator.tell(failure);
        if (failure instanceof SQLException sql && Failures.isFinal(sql)) {
            refuse(told);
        }
    }

    private void rollback() {
        companion.rolledBack();
        try {
            session.rollback();
        } catch (SQLException e) {
            LOG.debug("SQLite had rolled back by itself", e);
        }
    }

    /** A write and the thread that waits for it. */
    private static final class Waiting<T> extends PendingResult<T> {
        private final Write<T> write;
        private @Nullable T answer;

        Waiting(Write<T> write) {
            this.write = write;
        }

        void run(DatabaseSession session) throws SQLException {
            answer = write.run(session);
        }

        void succeed() {
            give(answer);
        }
    }
}
