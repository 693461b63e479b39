// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Lease;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the slots of works with a limit allotted to this node, as one of several: asks at once when a task lacks a slot,
 * or one is to be given back, and again with each look for as long as there is something to ask for. Thread-safe.
 */
final class SharedSlots {

    private static final Logger LOG = LoggerFactory.getLogger(SharedSlots.class);

    final Slots slots;

    private final EngineContext parts;
    private final OtherNodes others;
    private final Supplier<Lease> lease;
    private final AtomicBoolean isToAsk = new AtomicBoolean();
    /** Held while the store is asked and its answer taken in. */
    private final ReentrantLock asking = new ReentrantLock();

    private volatile int nodes;

    /** @param lease of this moment */
    SharedSlots(EngineContext parts, OtherNodes others, Supplier<Lease> lease) {
        this.parts = parts;
        this.others = others;
        this.lease = lease;
        slots = new Slots(parts.limits().running(), parts.works().values(), this::askSoon);
    }

    private void askSoon() {
        if (isToAsk.compareAndSet(false, true)) {
            parts.fork("slots", () -> {
                isToAsk.set(false);
                try {
                    ask();
                } catch (StoreException e) {
                    Trouble.warn(LOG, e, "Slots could not be asked for; it is tried again");
                }
                if (areUnsettled()) {
                    others.looks().soon();
                }
            });
        }
    }

    /** @param count how many nodes there are; 0 while that is not known */
    void nodes(int count) {
        nodes = count;
    }

    /** Whether to ask again with the next look. */
    boolean areUnsettled() {
        return slots.areUnsettled();
    }

    /** With each beat others learn what this node does not use. One that is alone keeps all. */
    void beat() {
        if (nodes != 1 || areUnsettled()) {
            ask();
        }
    }

    /** With each look. */
    void look() {
        if (areUnsettled()) {
            ask();
        }
    }

    private void ask() {
        asking.lock();
        try {
            // What is wanted elsewhere, and free here, goes back as soon as nothing can fill it any more.
            while (allot() && slots.haveToGiveBack()) {
                LOG.debug("Slots that other nodes wait for are given back");
            }
        } finally {
            asking.unlock();
        }
        slots.grant();
    }

    private boolean allot() {
        var wants = slots.wants(nodes == 1);
        var given = wants.isEmpty()
                ? null
                : others.tasks().allot(lease.get(), wants).orElse(null);
        if (given != null) {
            slots.allot(given);
        }
        return given != null;
    }

    /** The lease is void, and with it all that was allotted: to be called before the node joins anew. */
    void lose() {
        asking.lock();
        try {
            slots.allotNothing();
        } finally {
            asking.unlock();
        }
    }
}
