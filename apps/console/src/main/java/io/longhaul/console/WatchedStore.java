// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.TaskId;
import java.time.Instant;

/** Reports each commit and each removal of a task. Thread-safe. */
final class WatchedStore extends ForwardingStore {

    private final ChangedTasks news;
    private final Figures figures;

    WatchedStore(TaskStore store, ChangedTasks news, Figures figures) {
        super(store);
        this.news = news;
        this.figures = figures;
    }

    @Override
    public CommitResult commit(Change change) {
        var done = super.commit(change);
        if (done instanceof CommitResult.Committed) {
            news.changed(change.after().id(), change.after().owner());
            figures.changed(change.before(), change.after());
        }
        return done;
    }

    @Override
    public boolean remove(TaskId id) {
        boolean removed = super.remove(id);
        if (removed) {
            news.changedAny();
        }
        return removed;
    }

    @Override
    public int sweep(Instant now, int limit) {
        int swept = super.sweep(now, limit);
        if (swept > 0) {
            news.changedAny();
        }
        return swept;
    }
}
