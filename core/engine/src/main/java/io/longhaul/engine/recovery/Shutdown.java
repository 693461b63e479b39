// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.recovery;

import io.longhaul.engine.attempt.Runner;
import io.longhaul.engine.ledger.LiveRun;
import io.longhaul.engine.ledger.LiveTask;
import io.longhaul.engine.ledger.LiveTasks;
import io.longhaul.engine.node.EngineContext;
import io.longhaul.engine.node.FailureLog;
import io.longhaul.engine.slot.RunThread;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.transition.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops an engine within the grace and half a second: work that can end ends, other tasks are handed back. */
public record Shutdown(EngineContext parts, LiveTasks tasks, Runner runner) {

    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);
    private static final Duration FOR_HAND_BACK = Duration.ofMillis(400);

    public void run(Duration grace) {
        runner.beginClosing();
        await(idle(), grace);
        handBack();
        tasks.all().stream().filter(live -> !runner.sleepsOver(live)).forEach(Shutdown::lose);
        leave();
        // In the background: there may be 100,000 of these tasks, and nothing depends on them any more.
        parts.fork("closed", () -> tasks.all().forEach(Shutdown::lose));
        if (parts.others() != null) {
            parts.others().watched().wakeAll();
        }
    }

    private void leave() {
        try {
            // model: leave
            parts.store().leave(runner.lease(), parts.time().now());
        } catch (StoreException e) {
            FailureLog.warn(LOG, e, "The lease could not be handed back; the next start takes it");
        }
    }

    /** Whether only this node can find the work again: other nodes leave the task to it for {@code nodeLostAfter}. */
    private boolean isBound(LiveTask live) {
        var work = runner.workOf(live);
        return parts.others() != null && work != null && work.isBoundToNode();
    }

    private static void lose(LiveTask live) {
        var run = live.run();
        if (run != null) {
            run.thread().stop(RunThread.Stop.LOST);
        }
        live.watchers().wakeAll();
    }

    /** Opens when no work runs or is being stopped any more. */
    private CountDownLatch idle() {
        var runs = new ArrayList<LiveRun>();
        var active = List.copyOf(runner.active().values());
        for (LiveTask live : active) {
            var run = live.run();
            if (run != null && run.isStopping()) {
                runs.add(run);
            }
        }
        var latch = new CountDownLatch(1);
        parts.fork("closing", () -> {
            try {
                for (LiveRun run : runs) {
                    run.thread().awaitDone();
                }
                for (LiveTask live : active) {
                    live.awaitStop();
                }
                latch.countDown();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return latch;
    }

    private void handBack() {
        var toGive = tasks.all().stream()
                .filter(live -> (live.run() != null || live.isRoused()) && isTakenUpAgain(live))
                .toList();
        await(parts.spread("hand-back", toGive, live -> live.exclusively(() -> handBack(live))), FOR_HAND_BACK);
    }

    private void handBack(LiveTask live) {
        if (runner.waitsForAnyNode(live)) {
            runner.giveAway(live);
        } else {
            // model: hand_back
            runner.quietly(live, new Command.HandBack(isBound(live)));
        }
    }

    /** Whether the task is handed back; a task that only waits for an answer needs no write. */
    private boolean isTakenUpAgain(LiveTask live) {
        var task = live.stored();
        var work = runner.workOf(live);
        return work != null
                && task.ending() == null
                && work.crashPolicy() != CrashPolicy.FAIL
                && !runner.sleepsOver(live);
    }

    private static void await(CountDownLatch latch, Duration longest) {
        try {
            if (!latch.await(longest.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.info("Some work did not end within {} ms", longest.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
