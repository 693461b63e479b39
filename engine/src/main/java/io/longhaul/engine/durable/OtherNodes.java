// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.store.SharedTasks;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/** What an engine needs that has its store together with others. */
record OtherNodes(SharedTasks tasks, WatchedTasks watched, LostRuns lost, List<ReentrantLock> creating) {

    private static final int LOCKS = 64;

    OtherNodes(SharedTasks tasks) {
        this(
                tasks,
                new WatchedTasks(),
                new LostRuns(),
                Stream.generate(ReentrantLock::new).limit(LOCKS).toList());
    }

    /** Held where a task of a share is created that may be one too many over all nodes. */
    ReentrantLock creating(String share) {
        return creating.get(Math.floorMod(share.hashCode(), LOCKS));
    }
}
