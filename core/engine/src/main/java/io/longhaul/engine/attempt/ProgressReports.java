// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.ledger.LiveTask;
import io.longhaul.engine.node.EngineContext;
import io.longhaul.engine.node.FailureLog;
import io.longhaul.engine.run.MessageText;
import io.longhaul.engine.run.StaleRunException;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.transition.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Progress and messages of one attempt. Each report shows at once in memory, and reports are stored no more often than
 * the limit allows. A report that comes too soon is stored by an alarm, or with the next commit of the task.
 */
final class ProgressReports {

    private static final Logger LOG = LoggerFactory.getLogger(ProgressReports.class);

    private final LiveTask live;
    private final TaskTime time;
    private final Duration interval;
    private final Consumer<Command.Report> store;
    private final IdleTimer idle;
    private final Consumer<Runnable> fork;
    private @Nullable Instant storedAt;
    private boolean alarmed;

    ProgressReports(LiveTask live, EngineContext parts, Consumer<Command.Report> store, IdleTimer idle) {
        this.live = live;
        this.time = parts.time();
        this.interval = parts.limits().progressInterval();
        this.store = store;
        this.idle = idle;
        this.fork = action -> parts.fork("report-" + live.id(), action);
    }

    void report(@Nullable Progress progress, @Nullable String message) {
        var shown =
                progress == null ? null : new Progress(progress.current(), progress.total(), cut(progress.message()));
        var before = live.shown();
        if (live.note(shown, cut(message))) {
            if (isNews(before, live.shown())) {
                idle.reset();
            }
            if (isDue()) {
                flush();
            }
        }
    }

    private static boolean isNews(@Nullable Task before, @Nullable Task after) {
        return before != null && after != null && !before.status().equals(after.status());
    }

    private static @Nullable String cut(@Nullable String message) {
        return message == null ? null : MessageText.cut(message);
    }

    private synchronized boolean isDue() {
        Instant now = time.now();
        Instant last = storedAt;
        // After the clock was set back, the time since the last write is unknown.
        if (last == null || now.isBefore(last) || !now.isBefore(last.plus(interval))) {
            storedAt = now;
            return true;
        }
        if (!alarmed) {
            alarmed = true;
            time.at(last.plus(interval), () -> fork.accept(this::alarm));
        }
        return false;
    }

    private void alarm() {
        synchronized (this) {
            alarmed = false;
            storedAt = time.now();
        }
        try {
            flush();
        } catch (StaleRunException e) {
            LOG.debug("Task {} ended before its last report", live.id());
        } catch (StoreException e) {
            FailureLog.warn(LOG, e, "A report of task {} could not be stored; the next commit carries it", live.id());
        }
    }

    private void flush() {
        Command.Report report = live.takeUnsaved();
        if (report != null) {
            live.putBack(report);
            store.accept(new Command.Report(null, null));
        }
    }
}
