// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.question;

import io.longhaul.protocol.Guard;
import io.longhaul.requestor.Answerer;
import io.longhaul.requestor.Registration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the answerer of each question of one server: the call's own answerer, where the call of the question has one,
 * else the client's answerer. Thread-safe.
 */
public final class Answerers {

    private final Answerer usual;
    private final Guard lock = new Guard();
    private final List<Answerer> underway = new ArrayList<>();
    private final Map<String, Answerer> tasks = new HashMap<>();
    private final Map<String, Consumer<String>> followers = new HashMap<>();
    private final Condition changed = lock.newCondition();

    /** The longest time by which a question may overtake the answer that tells its call of the task. */
    private static final Duration OVERTAKEN = Duration.ofSeconds(2);

    /** @param usual of the client */
    public Answerers(Answerer usual) {
        this.usual = usual;
    }

    public Answerer usual() {
        return usual;
    }

    /** Registers a call with an answerer of its own until closed, while the call is a request or a task. */
    public Registration underway(@Nullable Answerer own) {
        if (own == null) {
            return () -> {};
        }
        lock.run(() -> underway.add(own));
        return () -> lock.run(() -> {
            underway.remove(own);
            changed.signalAll();
        });
    }

    /** Registers the own answerer of a server's task, until closed. */
    public Registration ofTask(String taskId, @Nullable Answerer own) {
        if (own == null) {
            return () -> {};
        }
        lock.run(() -> {
            tasks.put(taskId, own);
            changed.signalAll();
        });
        return () -> lock.run(() -> tasks.remove(taskId, own));
    }

    /** Registers who follows a server's task and stops where a question of the task is left open, until closed. */
    public Registration onLeftOpen(String taskId, Consumer<String> stop) {
        lock.run(() -> followers.put(taskId, stop));
        return () -> lock.run(() -> followers.remove(taskId, stop));
    }

    /** Leaves a question of a task open, and tells who follows the task; false where nobody does. */
    boolean leaveOpen(String taskId, String why) {
        var follower = lock.get(() -> Optional.ofNullable(followers.get(taskId)));
        follower.ifPresent(stop -> stop.accept(why));
        return follower.isPresent();
    }

    /**
     * The answerer of one question. A question that overtakes the answer which tells its call of the task waits for
     * that answer, while a call with an answerer of its own is under way.
     *
     * @param task   the task that asks, where the question names one
     * @param stream the answerer of the call on whose own stream the question came, or null where that is not known:
     *     the question is then for the only call under way. Where several calls are under way, the caller that is meant
     *     is unknown, and the client's own answerer is asked
     */
    public Answerer of(Optional<String> task, @Nullable Answerer stream) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (task.isPresent()) {
                awaitTask(task.get());
                if (tasks.containsKey(task.get())) {
                    return tasks.get(task.get());
                }
            }
            if (stream != null) {
                return stream;
            }
            return underway.stream().distinct().count() == 1 ? underway.getFirst() : usual;
        } finally {
            lock.unlock();
        }
    }

    private void awaitTask(String task) throws InterruptedException {
        var left = OVERTAKEN.toNanos();
        while (!tasks.containsKey(task) && !underway.isEmpty() && left > 0) {
            left = changed.awaitNanos(left);
        }
    }

    /** The answerer of the questions that a task shows. */
    public Answerer of(String taskId) {
        return lock.get(() -> tasks.getOrDefault(taskId, usual));
    }
}
