// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.children;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.TaskState;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that is gone for its process from a certain write on: that of a step, or that of the cancel of a child. */
final class CutAtSteps extends ForwardingStore {

    final CountDownLatch cut = new CountDownLatch(1);
    volatile boolean cutsAtCancel;

    /** At which step it is cut. */
    volatile int steps = 1;

    private final AtomicInteger seen = new AtomicInteger();

    CutAtSteps(TaskStore store) {
        super(store);
    }

    @Override
    public CommitResult commit(Change change) {
        boolean isStep = change.events().stream().anyMatch(event -> event.what() instanceof EventDetail.StepDone)
                && seen.incrementAndGet() == steps;
        boolean isCancel = change.after().state() == TaskState.CANCELLED
                && change.after().spec().parent() != null;
        if (cut.getCount() == 0 || (cutsAtCancel ? isCancel : isStep)) {
            cut.countDown();
            throw new StoreException("the process is gone");
        }
        return super.commit(change);
    }
}
