package io.longhaul.engine.durable;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.engine.transition.Command;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Attempts that wait for answers, and what becomes of their slots and deadlines. */
final class Questioning implements WaitingRoom {

    private static final Logger LOG = LoggerFactory.getLogger(Questioning.class);

    private enum Claim {
        WAITING,
        GRANTED,
        ABANDONED
    }

    private final Parts parts;
    private final Ledger ledger;
    private final Lease lease;
    private final Slots slots;

    Questioning(Parts parts, Ledger ledger, Lease lease, Slots slots) {
        this.parts = parts;
        this.ledger = ledger;
        this.lease = lease;
        this.slots = slots;
    }

    /**
     * Whether a task needs no thread until an answer comes: nothing was answered since its oldest outstanding
     * question was asked, so that its work would only come back to where it waited.
     */
    static boolean onlyWaits(Task task) {
        return task.state() == TaskState.INPUT_REQUIRED
                && task.status().inputs().stream()
                        .dropWhile(question -> !question.isOutstanding())
                        .allMatch(InputRequest::isOutstanding);
    }

    @Override
    public void enter(LiveTask live) {
        synchronized (live) {
            live.waitingThreads++;
            if (live.waitingThreads > 1 || !live.hasSlot.compareAndSet(true, false)) {
                return;
            }
        }
        slots.release(work(live));
    }

    @Override
    public void leave(LiveTask live, RunThread thread) {
        synchronized (live) {
            live.waitingThreads--;
            if (live.waitingThreads > 0) {
                return;
            }
        }
        if (thread.stop() != RunThread.Stop.NONE) {
            return;
        }
        if (slots.tryTake(work(live))) {
            live.hasSlot.set(true);
        } else {
            awaitSlot(live, thread);
        }
    }

    private void awaitSlot(LiveTask live, RunThread thread) {
        var claim = new AtomicReference<>(Claim.WAITING);
        var waiter = live.watchers.register();
        slots.await(work(live), true, new Slots.Claimant() {
            @Override
            public boolean wantsSlot() {
                return claim.get() == Claim.WAITING;
            }

            @Override
            public void granted() {
                if (claim.compareAndSet(Claim.WAITING, Claim.GRANTED)) {
                    live.hasSlot.set(true);
                    live.watchers.wakeAll();
                } else {
                    slots.release(work(live));
                }
            }
        });
        while (claim.get() == Claim.WAITING) {
            try {
                if (thread.stop() != RunThread.Stop.NONE) {
                    claim.compareAndSet(Claim.WAITING, Claim.ABANDONED);
                    break;
                }
                waiter.await();
            } catch (InterruptedException e) {
                claim.compareAndSet(Claim.WAITING, Claim.ABANDONED);
                Thread.currentThread().interrupt();
                break;
            }
            live.watchers.unregister(waiter);
            if (claim.get() == Claim.WAITING) {
                waiter = live.watchers.register();
            }
        }
        live.watchers.unregister(waiter);
    }

    @Override
    public void expire(LiveTask live, String key) {
        parts.fork("unanswered-" + live.id, () -> {
            try {
                ledger.change(live, new Command.LeaveUnanswered(key), lease);
            } catch (StoreException e) {
                LOG.error("The deadline of question '{}' of task {} could not be stored", key, live.id, e);
            }
        });
    }

    /** Arms the deadlines of a task that waits without a thread. */
    void watch(LiveTask live) {
        for (InputRequest question : live.stored().outstanding()) {
            parts.time().at(question.deadline(), () -> expire(live, question.key()));
        }
    }

    private static String work(LiveTask live) {
        return live.stored().spec().work();
    }
}
