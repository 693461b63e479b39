package io.longhaul.store.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What waits for a consumer that takes it in groups, since each group costs something. Callers that were served come
 * back while there is load, so the consumer waits for them, for a bounded time. A consumer that serves one caller at a
 * time waits for no other. Thread-safe, for one consumer.
 */
final class GatheringQueue<T> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition enough = lock.newCondition();
    private List<T> waiting = new ArrayList<>();
    private int wanted = 1;

    void add(T one) {
        lock.lock();
        try {
            waiting.add(one);
            if (waiting.size() == wanted) {
                enough.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Blocks until there is something, and takes all of it.
     *
     * @param served   how many were in the group before, 0 at first
     * @param timeout for how many nanoseconds those may be waited for
     */
    List<T> take(int served, long timeout) {
        lock.lock();
        try {
            if (served > 1) {
                await(served + waiting.size(), timeout);
            }
            await(1, Long.MAX_VALUE);
            var group = waiting;
            waiting = new ArrayList<>(group.size());
            return group;
        } finally {
            lock.unlock();
        }
    }

    private void await(int size, long timeout) {
        wanted = size;
        var interrupted = false;
        var left = timeout;
        while (waiting.size() < size && left > 0) {
            try {
                left = enough.awaitNanos(left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
