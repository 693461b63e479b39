package io.longhaul.store.jdbc;

import io.longhaul.engine.store.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads beside the writer, on a few platform threads with connections of their own: native code would pin the carrier
 * of a virtual thread.
 */
final class ReadPool {

    /** Something to read; all of it sees one state of the data. */
    @FunctionalInterface
    interface Read<T> {
        T run(Session session) throws SQLException;
    }

    /** Opens one more connection. */
    @FunctionalInterface
    interface Opener {
        Session open() throws SQLException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(ReadPool.class);
    private static final int THREADS = 4;

    private final Path file;
    private final Opener opener;
    private final ExecutorService threads;
    private final Deque<Session> idle = new ArrayDeque<>();

    ReadPool(Path file, Opener opener) {
        this.file = file;
        this.opener = opener;
        threads = Executors.newFixedThreadPool(
                THREADS,
                Thread.ofPlatform().name("longhaul-store-reader-", 0).daemon().factory());
    }

    <T> T read(Read<T> read) {
        var answer = new Answer<T>();
        try {
            threads.execute(() -> run(read, answer));
        } catch (RejectedExecutionException e) {
            throw new StoreException("task store " + file + " is closed", e);
        }
        return answer.await();
    }

    void close() {
        threads.shutdown();
        awaitEnd();
        synchronized (idle) {
            idle.forEach(this::closeQuietly);
            idle.clear();
        }
    }

    private <T> void run(Read<T> read, Answer<T> answer) {
        try {
            var session = take();
            T value;
            try {
                session.begin("DEFERRED");
                value = read.run(session);
                session.commit();
            } catch (SQLException | RuntimeException e) {
                closeQuietly(session);
                throw e;
            }
            giveBack(session);
            answer.give(value);
        } catch (SQLException e) {
            answer.fail(Failures.of(file, e));
        } catch (RuntimeException e) {
            answer.fail(e);
        }
    }

    private Session take() throws SQLException {
        synchronized (idle) {
            var session = idle.pollFirst();
            if (session != null) {
                return session;
            }
        }
        return opener.open();
    }

    private void giveBack(Session session) {
        synchronized (idle) {
            idle.addFirst(session);
        }
    }

    private void awaitEnd() {
        var interrupted = false;
        while (!threads.isTerminated()) {
            try {
                threads.awaitTermination(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeQuietly(Session session) {
        try {
            session.close();
        } catch (SQLException e) {
            LOG.debug("A reader of task store {} did not close", file, e);
        }
    }
}
