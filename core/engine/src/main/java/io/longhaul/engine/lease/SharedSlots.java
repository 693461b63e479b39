// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.lease;

import io.longhaul.engine.node.EngineContext;
import io.longhaul.engine.node.FailureLog;
import io.longhaul.engine.node.OtherNodes;
import io.longhaul.engine.slot.Slots;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Lease;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the store to allot slots of works with a limit to this node, as one of several nodes. It asks at once when a
 * task lacks a slot or a slot is to be given back, and again with each look until the need is settled. Thread-safe.
 */
public final class SharedSlots {

    private static final Logger LOG = LoggerFactory.getLogger(SharedSlots.class);

    private final Slots slots;

    private final EngineContext parts;
    private final OtherNodes others;
    private final Supplier<Lease> lease;
    private final AtomicBoolean isToAsk = new AtomicBoolean();
    /** Held while the store is asked and its answer applied. */
    private final ReentrantLock asking = new ReentrantLock();

    private volatile int nodes;

    /** @param lease the present lease */
    public SharedSlots(EngineContext parts, OtherNodes others, Supplier<Lease> lease) {
        this.parts = parts;
        this.others = others;
        this.lease = lease;
        slots = new Slots(parts.limits().running(), parts.works().values(), parts.time(), this::askSoon);
    }

    public Slots slots() {
        return slots;
    }

    private void askSoon() {
        if (isToAsk.compareAndSet(false, true)) {
            parts.fork("slots", () -> {
                isToAsk.set(false);
                try {
                    ask();
                } catch (StoreException e) {
                    FailureLog.warn(LOG, e, "Slots could not be asked for; it is tried again");
                }
                if (areUnsettled()) {
                    others.earlyPoll().soon();
                }
            });
        }
    }

    /** @param count the number of nodes; 0 while unknown */
    void nodes(int count) {
        nodes = count;
    }

    /** Whether the next look must ask again. */
    boolean areUnsettled() {
        return slots.areUnsettled();
    }

    /** Tells other nodes at each beat which slots this node does not use. A node that is alone keeps all slots. */
    void beat() {
        if (nodes != 1 || areUnsettled()) {
            ask();
        }
    }

    /** Called with each look. */
    void look() {
        if (areUnsettled()) {
            ask();
        }
    }

    private void ask() {
        asking.lock();
        try {
            // Slots that are wanted elsewhere and free here go back as soon as no task here can fill them.
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

    /** Drops all allotments, because the lease is void. Called before the node joins anew. */
    public void lose() {
        asking.lock();
        try {
            slots.allotNothing();
        } finally {
            asking.unlock();
        }
    }
}
