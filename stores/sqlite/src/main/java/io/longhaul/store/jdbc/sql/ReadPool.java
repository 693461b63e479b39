// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import io.longhaul.engine.store.StoreException;
import java.sql.SQLException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Reads concurrently with the writer, on a few platform threads with sessions of their own. Virtual threads do not fit:
 * native code would pin the carrier of a virtual thread, and an interrupt of a virtual thread would close its socket.
 */
public final class ReadPool {

    /** One read transaction, which sees a consistent snapshot of the data. */
    @FunctionalInterface
    public interface Read<T> {
        T run(SqlSession session) throws SQLException;
    }

    private static final int THREADS = 4;

    private final SessionSource sessions;
    private final Operator operator;
    private final ExecutorService threads;

    public ReadPool(SessionSource sessions, Operator operator) {
        this.sessions = sessions;
        this.operator = operator;
        threads = Executors.newFixedThreadPool(
                THREADS,
                Thread.ofPlatform().name("longhaul-store-reader-", 0).daemon().factory());
    }

    /** Runs a read in a transaction, and blocks for its result. */
    public <T> T read(Read<T> read) {
        return await(answer -> run(read, answer));
    }

    /** Runs a read of one statement without a transaction, which costs less, and blocks for its result. */
    public <T> T single(Read<T> read) {
        return await(answer -> runSingle(read, answer));
    }

    private <T> T await(Consumer<PendingResult<T>> run) {
        var answer = new PendingResult<T>();
        try {
            threads.execute(() -> run.accept(answer));
        } catch (RejectedExecutionException e) {
            throw new StoreException(operator.failures().store() + " is closed", e);
        }
        return answer.await(operator.failures());
    }

    /** Waits for running reads, and closes the sessions. */
    public void close() {
        threads.shutdown();
        awaitEnd();
        sessions.close();
    }

    /**
     * Runs a read. After any exception or {@link Error} the caller is answered first, and no transaction stays open.
     */
    private <T> void run(Read<T> read, PendingResult<T> answer) {
        SqlSession session = null;
        try {
            session = sessions.take();
            session.begin();
            var value = read.run(session);
            session.commit();
            sessions.giveBack(session);
            answer.give(value);
        } catch (Throwable e) {
            answer.fail(e);
            if (session != null) {
                Closing.quietly(session, "A reader of " + operator.failures().store());
            }
            tell(e);
        }
    }

    private <T> void runSingle(Read<T> read, PendingResult<T> answer) {
        try {
            answer.give(sessions.single(read));
        } catch (Throwable e) {
            answer.fail(e);
            tell(e);
        }
    }

    private void tell(Throwable failure) {
        if (!(failure instanceof SQLException || failure instanceof StoreException)) {
            operator.tell(failure);
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
}
