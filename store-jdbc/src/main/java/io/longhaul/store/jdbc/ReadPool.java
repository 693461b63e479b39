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
import org.jspecify.annotations.Nullable;
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
        T run(DatabaseSession session) throws SQLException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(ReadPool.class);
    private static final int THREADS = 4;

    private final Path file;
    private final OpenFile.Opener opener;
    private final Operator operator;
    private final ExecutorService threads;
    private final Deque<DatabaseSession> idle = new ArrayDeque<>();

    ReadPool(Path file, OpenFile.Opener opener, Operator operator) {
        this.file = file;
        this.opener = opener;
        this.operator = operator;
        threads = Executors.newFixedThreadPool(
                THREADS,
                Thread.ofPlatform().name("longhaul-store-reader-", 0).daemon().factory());
    }

    <T> T read(Read<T> read) {
        var answer = new PendingResult<T>();
        try {
            threads.execute(() -> run(read, answer));
        } catch (RejectedExecutionException e) {
            throw new StoreException("task store " + file + " is closed", e);
        }
        return answer.await(file);
    }

    void close() {
        threads.shutdown();
        awaitEnd();
        synchronized (idle) {
            idle.forEach(this::closeQuietly);
            idle.clear();
        }
    }

    /** Whatever is thrown, an {@link Error} too: the caller is answered first, and no transaction stays open. */
    private <T> void run(Read<T> read, PendingResult<T> answer) {
        DatabaseSession session = null;
        try {
            session = take();
            session.begin("DEFERRED");
            var value = read.run(session);
            session.commit();
            giveBack(session);
            answer.give(value);
        } catch (Throwable e) {
            answer.fail(e);
            closeQuietly(session);
            if (!(e instanceof SQLException || e instanceof StoreException)) {
                operator.tell(e);
            }
        }
    }

    private DatabaseSession take() throws SQLException {
        synchronized (idle) {
            var session = idle.pollFirst();
            if (session != null) {
                return session;
            }
        }
        return opener.open(file);
    }

    private void giveBack(DatabaseSession session) {
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

    private void closeQuietly(@Nullable DatabaseSession session) {
        try {
            if (session != null) {
                session.close();
            }
        } catch (SQLException e) {
            LOG.debug("A reader of task store {} did not close", file, e);
        }
    }
}
