// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.slot;

import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.watch.Watchers;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The right of one attempt to a slot of {@link Slots}, from when the attempt gets in line until its work has ended. The
 * attempt holds at most one slot and has at most one place in line, however many of its threads ask and go on. It takes
 * no slot after its end. Thread-safe.
 */
public final class RunSlot {

    private final Slots slots;
    private final TaskId task;
    private final String work;
    private boolean held;
    private boolean over;
    private int resuming;
    private volatile @Nullable Place place;

    public RunSlot(Slots slots, TaskId task, String work) {
        this.slots = slots;
        this.task = task;
        this.work = work;
    }

    /** Takes a free slot for work that has not started; true where the attempt holds a slot now. */
    public boolean tryTake() {
        return tryTake(false);
    }

    private synchronized boolean tryTake(boolean again) {
        if (!over && !held && place == null) {
            held = slots.tryTake(work, again);
        }
        return held;
    }

    /** Whether the attempt holds a slot now: one that waits for an answer or a child does not. */
    public synchronized boolean isHeld() {
        return held;
    }

    /** Gives a slot back for good that {@link #tryTake()} may have taken for work that does not start. */
    public void notStarted() {
        if (isHeld()) {
            slots.notStarted(work);
        }
        release();
    }

    /**
     * Gets in line, unless the attempt holds a slot, is in line, or has ended.
     *
     * @param again   whether the work had started before
     * @param wanted  polled until the slot is granted; must not block
     * @param granted called when the attempt holds the slot; must not block
     */
    public void await(boolean again, BooleanSupplier wanted, Runnable granted) {
        Place mine;
        synchronized (this) {
            if (over || held || place != null) {
                return;
            }
            mine = new Place(wanted, granted);
            place = mine;
        }
        // Without the monitor: the call may grant slots to other attempts, and takes their monitors.
        slots.await(work, again, mine);
    }

    /** Gives the slot away while a thread of the attempt waits for an answer. */
    public void pause() {
        give(false);
    }

    /** Blocks a thread that goes on after an answer until the attempt holds a slot again, has ended, or must stop. */
    public void resume(RunThread thread, Watchers watchers) {
        synchronized (this) {
            resuming++;
        }
        try {
            while (true) {
                var waiter = watchers.register();
                try {
                    if (thread.stop() != RunThread.Stop.NONE || mayGoOn()) {
                        return;
                    }
                    await(true, () -> true, watchers::wakeAll);
                    waiter.await();
                } finally {
                    watchers.unregister(waiter);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            stopResuming();
        }
    }

    private synchronized boolean mayGoOn() {
        return over || tryTake(true);
    }

    private void stopResuming() {
        Place left = null;
        synchronized (this) {
            resuming--;
            if (resuming == 0) {
                left = place;
                place = null;
            }
        }
        leave(left);
    }

    private void leave(@Nullable Place left) {
        if (left != null) {
            slots.leave(work, left);
        }
    }

    /** Gives the slot, or the place in line, away for good: the attempt has ended, or will not begin. */
    public void release() {
        give(true);
    }

    private void give(boolean forGood) {
        boolean had;
        Place left = null;
        synchronized (this) {
            had = held;
            held = false;
            if (forGood) {
                over = true;
                left = place;
                place = null;
            }
        }
        leave(left);
        if (had) {
            slots.release(work);
        }
    }

    /** A place in line; a place that the attempt has left gets no slot. */
    private final class Place implements Slots.Claimant {

        private final BooleanSupplier wanted;
        private final Runnable granted;

        Place(BooleanSupplier wanted, Runnable granted) {
            this.wanted = wanted;
            this.granted = granted;
        }

        /** Called under the lock of {@link Slots}, so that this method takes no other lock. */
        @Override
        public boolean wantsSlot() {
            return place == this && wanted.getAsBoolean();
        }

        @Override
        public TaskId task() {
            return task;
        }

        @Override
        public void granted() {
            boolean mine;
            synchronized (RunSlot.this) {
                mine = place == this;
                if (mine) {
                    place = null;
                    held = true;
                }
            }
            if (mine) {
                granted.run();
            } else {
                slots.release(work);
            }
        }
    }
}
