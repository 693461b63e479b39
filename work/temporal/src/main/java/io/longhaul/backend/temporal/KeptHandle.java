// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.longhaul.engine.run.Run;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/** The saved handle of a run, which several threads change. Thread-safe. */
final class KeptHandle {

    private final Run run;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile WorkflowHandle handle;

    KeptHandle(Run run, WorkflowHandle handle) {
        this.run = run;
        this.handle = handle;
    }

    WorkflowHandle get() {
        return handle;
    }

    /** Saves a change; the change is durable on return. */
    void change(UnaryOperator<WorkflowHandle> change) {
        lock.lock();
        try {
            var changed = change.apply(handle);
            run.saveHandle(changed.saved());
            handle = changed;
        } finally {
            lock.unlock();
        }
    }
}
