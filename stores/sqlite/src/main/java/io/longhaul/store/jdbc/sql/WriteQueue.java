// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import io.longhaul.engine.store.StoreException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue of writes and the one thread that writes. The thread puts all waiting writes into one transaction, so that
 * one sync of the disk serves all of them; no caller is answered before that sync.
 */
public final class WriteQueue {

    /** One write. It may run again after its transaction was rolled back. */
    @FunctionalInterface
    public interface Write<T> {
        T run(SqlSession session) throws SQLException;
    }

    /** Provides the sessions for transactions, and takes part in each transaction. Called on the writer's thread. */
    public interface Companion extends SessionSource {

        /** Begins a transaction. Writes that are queued before this method returns share the transaction. */
        default void begin(SqlSession session) throws SQLException {
            session.begin();
        }

        /** Runs the last statements of the transaction. */
        void complete(SqlSession session) throws SQLException;

        /** Called before the commit; an exception means that the storage cannot be trusted any more. */
        default void committing() {}

        /**
         * Called after the commit and before any caller is answered; an exception means that the commit cannot be
         * trusted.
         */
        default void committed() {}

        /** Called at a rollback. */
        void rolledBack();

        /** Called after the last transaction; {@code isSound} where all transactions can be trusted. */
        default void end(boolean isSound) throws SQLException {}
    }

    private static final Logger LOG = LoggerFactory.getLogger(WriteQueue.class);
    private static final int MAX_GROUP = 1_024;

    private final Companion companion;
    private final Operator operator;
    private final BlockingQueue<Waiting<?>> queue = new LinkedBlockingQueue<>();
    private final Waiting<Boolean> end = new Waiting<>(ended -> () -> true);
    private final Thread thread;
    private final StoreException untold;
    private boolean closed;
    private boolean hasEnded;
    private volatile @Nullable StoreException broken;

    public WriteQueue(Companion companion, Operator operator) {
        this.companion = companion;
        this.operator = operator;
        untold = new StoreException(operator.failures().store() + " failed, and had no memory to say why");
        thread = Thread.ofPlatform().name("longhaul-store-writer").daemon().unstarted(this::serve);
        thread.start();
    }

    /** Runs {@code write} in a transaction, and returns its result once the transaction is durable. */
    public <T> T write(Write<T> write) {
        return writeTogether(session -> {
            var answer = write.run(session);
            return () -> answer;
        });
    }

    /**
     * Runs a write that {@link Companion#complete} carries out together with other writes; its result is known after
     * that.
     */
    public <T> T writeTogether(Write<Supplier<T>> write) {
        var waiting = new Waiting<>(write);
        enqueue(waiting);
        return waiting.await(operator.failures());
    }

    /** Refuses all writes from now on with {@code why}. */
    public void refuse(StoreException why) {
        broken = why;
    }

    /** Writes all waiting writes, and ends the thread and the companion. */
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            queue.add(end);
        }
        end.await(operator.failures());
    }

    private synchronized void enqueue(Waiting<?> waiting) {
        if (closed) {
            throw new StoreException(operator.failures().store() + " is closed");
        }
        queue.add(waiting);
    }

    private void serve() {
        var group = new ArrayList<Waiting<?>>(MAX_GROUP);
        while (!hasEnded) {
            group.clear();
            group.add(next());
            gather(group);
            if (!group.isEmpty()) {
                writeAll(group, true);
            }
        }
        try {
            companion.end(broken == null);
        } catch (SQLException e) {
            LOG.warn(
                    "{} did not close cleanly ({}); nothing committed is lost",
                    operator.failures().store(),
                    e.getMessage());
        } finally {
            end.succeed();
        }
    }

    /** Adds the waiting writes to a group. Called on the writer's thread. */
    private void gather(List<Waiting<?>> group) {
        queue.drainTo(group, MAX_GROUP - group.size());
        hasEnded |= group.remove(end);
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

    /**
     * Writes a group. After any exception or {@link Error} all waiting callers are answered, and this thread goes on.
     *
     * @param isOpen whether writes that arrive at the beginning of the transaction join the group
     */
    private void writeAll(List<Waiting<?>> group, boolean isOpen) {
        try {
            var refusal = broken;
            if (refusal != null) {
                group.forEach(waiting -> waiting.fail(refusal));
            } else if (!inSession(group, isOpen) && group.size() > 1) {
                group.forEach(waiting -> writeAll(List.of(waiting), false));
            }
        } catch (Throwable e) {
            fail(group, e);
        }
    }

    /** Whether the group is settled: false where one of several writes could not be run, and nothing was written. */
    private boolean inSession(List<Waiting<?>> group, boolean isOpen) throws SQLException {
        var session = companion.take();
        try {
            return tryTogether(session, group, isOpen);
        } finally {
            companion.giveBack(session);
        }
    }

    private boolean tryTogether(SqlSession session, List<Waiting<?>> group, boolean isOpen) {
        try {
            companion.begin(session);
            if (isOpen) {
                gather(group);
            }
            for (var waiting : group) {
                waiting.run(session);
            }
            companion.complete(session);
        } catch (Throwable e) {
            rollback(session);
            boolean isOfAll =
                    e instanceof SQLException sql && operator.failures().isOfEveryWrite(sql);
            if (isOfAll || group.size() == 1) {
                fail(group, e);
            }
            return isOfAll;
        }
        try {
            companion.committing();
            session.commit();
        } catch (Throwable e) {
            rollback(session);
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
     * Fails the callers first, and then logs the failure, which may be impossible where the memory is exhausted. This
     * thread goes on. After a failed sync the operating system may have dropped data, so that no later success can be
     * trusted.
     */
    private void fail(List<Waiting<?>> group, Throwable failure) {
        for (var i = 0; i < group.size(); i++) {
            group.get(i).fail(failure);
        }
        var why = untold;
        try {
            why = operator.tell(failure);
        } catch (Throwable e) {
            // Without memory no log is possible.
        }
        if (failure instanceof SQLException sql && operator.failures().isFinal(sql)) {
            refuse(why);
        }
    }

    private void rollback(SqlSession session) {
        companion.rolledBack();
        try {
            session.rollback();
        } catch (SQLException e) {
            LOG.debug("The database had rolled back by itself", e);
        }
    }

    /** A write, and the result for the thread that waits. */
    private static final class Waiting<T> extends PendingResult<T> {
        private final Write<Supplier<T>> write;
        private @Nullable Supplier<T> answer;

        Waiting(Write<Supplier<T>> write) {
            this.write = write;
        }

        void run(SqlSession session) throws SQLException {
            answer = write.run(session);
        }

        void succeed() {
            give(answer == null ? null : answer.get());
        }
    }
}
