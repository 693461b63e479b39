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
 * The one thread that writes. Whatever waits when it looks goes into one transaction, so that one sync of the disk
 * serves all; no caller is answered before that sync.
 */
public final class WriteQueue {

    /** One thing to write. It may be run again after the transaction around it was rolled back. */
    @FunctionalInterface
    public interface Write<T> {
        T run(SqlSession session) throws SQLException;
    }

    /** Where the sessions for transactions come from, and what goes with each. Called on the writer's thread. */
    public interface Companion extends SessionSource {

        /** The last statements of the transaction. */
        void complete(SqlSession session) throws SQLException;

        /** It is to become durable now; an exception means that the storage cannot be believed any more. */
        void committing();

        /** It is durable, and no caller was answered yet; an exception means that it cannot be believed. */
        void committed();

        /** Nothing of it is there. */
        void rolledBack();

        /** The last transaction was before; {@code isSound} where all of them can be believed. */
        void end(boolean isSound) throws SQLException;

        @Override
        default void close() {
            // A queue ends by the method above.
        }
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
    private volatile @Nullable StoreException broken;

    public WriteQueue(Companion companion, Operator operator) {
        this.companion = companion;
        this.operator = operator;
        untold = new StoreException(operator.failures().store() + " failed, and had no memory to say why");
        thread = Thread.ofPlatform().name("longhaul-store-writer").daemon().unstarted(this::serve);
        thread.start();
    }

    /** Runs {@code write} in a transaction, and returns its answer once that is durable. */
    public <T> T write(Write<T> write) {
        return writeTogether(session -> {
            var answer = write.run(session);
            return () -> answer;
        });
    }

    /**
     * The same for a write that is carried out with others by {@link Companion#complete}, behind which the answer is
     * known.
     */
    public <T> T writeTogether(Write<Supplier<T>> write) {
        var waiting = new Waiting<>(write);
        enqueue(waiting);
        return waiting.await(operator.failures());
    }

    /** Takes no more writes from now on: each is answered with {@code why}. */
    public void refuse(StoreException why) {
        broken = why;
    }

    /** Writes what waits, and ends the thread and the companion. */
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
            } else if (!inSession(group) && group.size() > 1) {
                group.forEach(waiting -> writeAll(List.of(waiting)));
            }
        } catch (Throwable e) {
            fail(group, e);
        }
    }

    /** Whether it is settled: false where one of several could not be run, and nothing at all was written. */
    private boolean inSession(List<Waiting<?>> group) throws SQLException {
        var session = companion.take();
        try {
            return tryTogether(session, group);
        } finally {
            companion.giveBack(session);
        }
    }

    private boolean tryTogether(SqlSession session, List<Waiting<?>> group) {
        try {
            session.begin();
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
     * Answers first, then tells the operator, who may remain without a word where the memory is exhausted: this thread
     * goes on. After a failed sync the system may have dropped what it could not write, so no later success can be
     * believed.
     */
    private void fail(List<Waiting<?>> group, Throwable failure) {
        for (var i = 0; i < group.size(); i++) {
            group.get(i).fail(failure);
        }
        var why = untold;
        try {
            why = operator.tell(failure);
        } catch (Throwable e) {
            // Nothing more can be done without memory.
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

    /** A write and the thread that waits for it. */
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
