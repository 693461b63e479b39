// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.lease;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.node.EngineContext;
import io.longhaul.engine.node.FailureLog;
import io.longhaul.engine.node.OtherNodes;
import io.longhaul.engine.store.SharedTasks.News;
import io.longhaul.engine.store.SharedTasks.Standing;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Lease;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The membership of one node in a shared store: renews its lease, takes over tasks that no node has, and reads what
 * other nodes have changed. The membership polls the store: once a second, more often while a thread or watcher here
 * waits for other nodes, and at once after a notification of the store.
 */
public final class Membership {

    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
    private static final Duration BEAT = Duration.ofSeconds(1);
    /** The most tasks of a first claim: many tasks that are free at once are spread over the nodes. */
    private static final int FIRST_SHARE = 4;

    private static final Duration LOOK = Duration.ofMillis(200);
    private static final int LOOKS = (int) BEAT.dividedBy(LOOK);

    private final EngineContext parts;
    private final OtherNodes others;
    private final SharedSlots slots;
    private final Supplier<LeaseTerm> term;
    private final Runnable beginTerm;
    /** Held while the lease is renewed or replaced. */
    private final ReentrantLock keeping = new ReentrantLock();

    private TaskTime.@Nullable Alarm next;
    private Runnable listening = () -> {};
    private boolean isLooking;
    private boolean isWoken;
    private boolean isSoon;
    private boolean closed;
    private volatile Standing standing = Standing.HELD;
    private volatile boolean hasMore;
    /** How many nodes the last renewal told. */
    private int nodes;
    /** The most tasks of the next claim. */
    private int share = FIRST_SHARE;
    /** Whether the store may have carried out a claim that it did not confirm. */
    private boolean isClaimInDoubt;
    /** Whether the store may have replaced the lease of this node for a join that it did not confirm. */
    private boolean isJoinInDoubt;

    private int looksLeft;

    /**
     * @param term      the present term
     * @param beginTerm begins a new term in place of a term whose lease is void
     */
    public Membership(
            EngineContext parts, OtherNodes others, SharedSlots slots, Supplier<LeaseTerm> term, Runnable beginTerm) {
        this.parts = parts;
        this.others = others;
        this.slots = slots;
        this.term = term;
        this.beginTerm = beginTerm;
        others.earlyPoll().onSoon(this::lookSoon);
    }

    /** Takes over free tasks now, and schedules the polls. */
    public void start() {
        renew();
        schedule();
        listening = others.tasks().listen(lease().node(), this::woken);
    }

    private void woken() {
        // What is told to all nodes is what can be claimed.
        if (!parts.runsAny()) {
            return;
        }
        synchronized (this) {
            isWoken = true;
        }
        parts.fork("nodes", this::beat);
    }

    private void beat() {
        synchronized (this) {
            if (closed || isLooking) {
                return;
            }
            isLooking = true;
            looksLeft = isWoken ? 0 : looksLeft;
            isWoken = false;
        }
        try {
            var news = News.ANY;
            if (looksLeft == 0) {
                news = renew();
                slots.beat();
            } else {
                slots.look();
            }
            giveTurns(term.get());
            if (news == News.ANY || !others.watched().ids().isEmpty()) {
                look();
            }
        } catch (StoreException e) {
            FailureLog.warn(LOG, e, "What other nodes do is not known; it is tried again");
        } finally {
            schedule();
        }
    }

    /**
     * Joins the other nodes at once where they have taken this node for dead.
     *
     * @param lost the lease under which the store refused a write; nothing happens where the node has another one
     */
    public void joinAnew(Lease lost) {
        keeping.lock();
        try {
            if (lease().equals(lost)) {
                keep(true);
            }
        } finally {
            keeping.unlock();
        }
    }

    /** Asks first what there is: most polls find nothing, and a renewal is due every five seconds. */
    private News renew() {
        keeping.lock();
        try {
            boolean isSettled = standing == Standing.HELD && nodes > 0 && !hasMore && !isClaimInDoubt && !isJoinInDoubt;
            var news = isSettled ? term.get().recovery().news(others.tasks(), nodes) : News.ANY;
            if (news != News.NONE) {
                keep(news == News.ANY);
            }
            return news;
        } finally {
            keeping.unlock();
        }
    }

    private void keep(boolean isToClaim) {
        // model: standing
        var before = standing;
        var renewal = others.tasks().renew(lease());
        standing = renewal.standing();
        nodes = renewal.nodes();
        slots.nodes(nodes);
        switch (isJoinInDoubt && standing == Standing.REPLACED ? Standing.VOID : standing) {
            case HELD -> {
                term.get().tasks().nodes(renewal.nodes());
                term.get().runner().slots().drain(false);
                if (isToClaim) {
                    takeUnconfirmed();
                    takeFree(renewal.nodes() == 1);
                }
            }
            case DRAINING -> {
                // A drained node soon gives its new tasks away, so it has no part of a limit, and asks other nodes for
                // each task.
                term.get().tasks().nodes(0);
                if (before != Standing.DRAINING) {
                    LOG.info("This node is drained: it begins nothing, and gives away what it has not begun");
                }
                hasMore = false;
                takeUnconfirmed();
                term.get().runner().drain();
            }
            case VOID -> {
                LOG.warn("Other nodes have taken this one for dead: it joins them anew, and loses what it ran");
                slots.nodes(0);
                nodes = 0;
                isJoinInDoubt = true;
                beginTerm.run();
                isJoinInDoubt = false;
                if (others.tasks().renew(lease()).standing() == Standing.HELD) {
                    takeFree(false);
                }
            }
            case REPLACED -> {
                LOG.error("Another process runs under the name of this node, which runs nothing any more");
                term.get().runner().loseAll();
                close();
            }
        }
    }

    private Lease lease() {
        return term.get().runner().lease();
    }

    /** Each claim that leaves tasks over doubles the next one, so that other nodes get their part of a few tasks. */
    private void takeFree(boolean isAlone) {
        isClaimInDoubt = true;
        hasMore = term.get().recovery().takeFree(others.tasks(), isAlone ? Integer.MAX_VALUE : share);
        share = hasMore ? Math.min(2 * share, Integer.MAX_VALUE / 2) : FIRST_SHARE;
        isClaimInDoubt = false;
    }

    private void takeUnconfirmed() {
        if (isClaimInDoubt) {
            term.get().recovery().takeUnconfirmed(others.tasks());
        }
    }

    private void giveTurns(LeaseTerm now) {
        var waiting = now.tasks().waiting();
        if (!waiting.isEmpty()) {
            var live = others.tasks().live(waiting);
            var node = now.runner().lease().node();
            waiting.forEach(owner -> now.tasks().begin(owner, node, live.getOrDefault(owner, List.of())));
        }
    }

    private void look() {
        var now = term.get();
        var ids = others.watched().ids();
        var versions = others.tasks().versions(now.runner().lease(), ids);
        versions.forEach((id, version) -> {
            var live = now.tasks().get(id);
            if (live != null) {
                now.runner().ledger().reread(live, version);
            }
        });
        others.watched().changed(ids, versions, id -> parts.store().find(id).orElse(null));
    }

    private synchronized void schedule() {
        isLooking = false;
        isSoon = hasMore
                || slots.areUnsettled()
                || !term.get().tasks().waiting().isEmpty()
                || !others.watched().ids().isEmpty();
        looksLeft = hasMore || !isSoon ? 0 : (looksLeft + LOOKS - 1) % LOOKS;
        at(isWoken ? Duration.ZERO : isSoon ? LOOK : BEAT);
    }

    private synchronized void lookSoon() {
        if (!isLooking && !isSoon) {
            isSoon = true;
            at(LOOK);
        }
    }

    private void at(Duration pause) {
        if (next != null) {
            next.cancel();
        }
        if (!closed) {
            next = parts.time().at(parts.time().now().plus(pause), () -> parts.fork("nodes", this::beat));
        }
    }

    public Standing standing() {
        return standing;
    }

    public synchronized void close() {
        closed = true;
        listening.run();
        if (next != null) {
            next.cancel();
        }
    }
}
