// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import io.longhaul.engine.node.EngineContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks whose work is not offered. They wait for their work for a while after the start, because work may be offered
 * while the server runs.
 */
public final class UnofferedWork {

    private static final Logger LOG = LoggerFactory.getLogger(UnofferedWork.class);
    private static final int THREADS = 64;

    private final EngineContext parts;
    private final Instant deadline;
    private final Map<String, List<Runnable>> waiting = new HashMap<>();
    private boolean isOver;

    UnofferedWork(EngineContext parts) {
        this.parts = parts;
        deadline = parts.time().now().plus(parts.limits().offerGrace());
    }

    /**
     * Runs {@code decision} when the work is offered or the grace is over.
     *
     * @return false where the work is offered or the grace is over: {@code decision} does not run then
     */
    public synchronized boolean await(String work, Runnable decision) {
        if (isOver || parts.works().containsKey(work) || !parts.time().now().isBefore(deadline)) {
            return false;
        }
        if (waiting.isEmpty()) {
            parts.time().at(deadline, () -> parts.fork("unoffered", this::over));
        }
        if (!waiting.containsKey(work)) {
            LOG.warn("'{}' is not offered: its tasks wait for it until {}, and then fail", work, deadline);
        }
        waiting.computeIfAbsent(work, name -> new ArrayList<>()).add(decision);
        return true;
    }

    /** Runs the decisions that waited for this work. */
    public void offered(String work) {
        List<Runnable> ready;
        synchronized (this) {
            ready = waiting.remove(work);
        }
        if (ready != null) {
            decide(ready);
        }
    }

    private void over() {
        List<Runnable> left = new ArrayList<>();
        synchronized (this) {
            isOver = true;
            waiting.values().forEach(left::addAll);
            waiting.clear();
        }
        decide(left);
    }

    private void decide(List<Runnable> ready) {
        Queue<Runnable> open = new ConcurrentLinkedQueue<>(ready);
        for (int i = 0; i < Math.min(THREADS, ready.size()); i++) {
            parts.fork("offered-" + i, () -> {
                for (var next = open.poll(); next != null; next = open.poll()) {
                    next.run();
                }
            });
        }
    }
}
