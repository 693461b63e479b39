// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Runs virtual threads one at a time, on the thread of the test, in an order that a seed gives: the same seed gives the
 * same interleaving. A thread that starts another one gives its scheduler on, so that all threads of a server belong to
 * the scheduler once the server was started in a group. Where a thread waits, another one is drawn; {@link #pause} lets
 * others go first where real code would do I/O.
 *
 * <p>Only the thread that made it may run it, and only that thread and threads of its groups may start and wake threads
 * of its groups. The JVM needs {@code --add-opens java.base/java.lang=ALL-UNNAMED}.
 */
public final class SeededScheduler {

    /** More than any step needs: threads that wake each other for ever are a fault. */
    private static final int MOST_SLICES = 500_000;

    private static final int PAUSES = 4;

    private record Slice(Group group, Runnable continuation) {}

    private final Random random;
    private final Thread driver = Thread.currentThread();
    private final List<Slice> ready = new ArrayList<>();
    private volatile @Nullable Thread stranger;
    private long events;

    /** @param random draws which thread runs next */
    public SeededScheduler(Random random) {
        this.random = random;
    }

    /** Threads that can end or be paused together, such as those of one process. */
    public final class Group implements Executor {
        private final List<Slice> frozen = new ArrayList<>();
        private boolean isFrozen;
        private boolean dead;

        /** Starts a virtual thread, which runs when it is drawn. */
        public void start(String name, Runnable action) {
            try {
                ((Thread) Starting.METHOD.invoke(null, this, name, 0, action)).start();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("this JDK does not let a test schedule virtual threads", e);
            }
        }

        /** From now on no thread of the group runs, as if the process were killed. */
        public void kill() {
            dead = true;
            frozen.clear();
            ready.removeIf(slice -> slice.group().equals(this));
        }

        /** Whether the group was killed. */
        public boolean isDead() {
            return dead;
        }

        /** No thread of the group runs until {@link #thaw()}, as if the process were stopped by a signal. */
        public void freeze() {
            isFrozen = true;
            ready.stream().filter(slice -> slice.group().equals(this)).forEach(frozen::add);
            ready.removeAll(frozen);
        }

        /** The threads of the group go on where they were. */
        public void thaw() {
            isFrozen = false;
            ready.addAll(frozen);
            frozen.clear();
        }

        @Override
        public void execute(Runnable continuation) {
            if (dead) {
                return;
            }
            var current = Thread.currentThread();
            if (!current.isVirtual() && !current.equals(driver)) {
                stranger = current;
            } else {
                (isFrozen ? frozen : ready).add(new Slice(this, continuation));
            }
        }
    }

    /** The JDK's own way to make a virtual thread with a scheduler, which is not public yet. */
    private static final class Starting {
        static final Method METHOD = find();

        private static Method find() {
            try {
                var method = Class.forName("java.lang.ThreadBuilders")
                        .getDeclaredMethod("newVirtualThread", Executor.class, String.class, int.class, Runnable.class);
                method.setAccessible(true);
                return method;
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("this JDK does not let a test schedule virtual threads", e);
            }
        }
    }

    /**
     * Runs until no thread can go on.
     *
     * @throws AssertionError where the threads go on for ever, or a thread of no group woke one of them
     */
    public void run() {
        run(MOST_SLICES);
        if (!ready.isEmpty()) {
            throw new AssertionError("threads do not come to rest");
        }
    }

    /** Runs up to {@code slices} threads, each until it waits. */
    public void run(int slices) {
        for (int slice = 0; slice < slices && !ready.isEmpty(); slice++) {
            int drawn = random.nextInt(ready.size());
            var next = ready.set(drawn, ready.getLast());
            ready.removeLast();
            next.continuation().run();
            if (stranger != null) {
                throw new AssertionError("a thread was woken by " + stranger + ", which no seed can replay");
            }
        }
    }

    /** The place of an event among all that happen, whichever thread it happens on. */
    public long next() {
        return ++events;
    }

    /** Lets other threads go first at times. */
    public void pause() {
        if (random.nextInt(PAUSES) == 0) {
            Thread.yield();
        }
    }
}
