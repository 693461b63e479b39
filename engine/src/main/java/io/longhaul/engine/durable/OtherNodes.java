// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.store.SharedTasks;

/** What an engine needs that has its store together with others. */
record OtherNodes(SharedTasks tasks, WatchedTasks watched, LostRuns lost) {

    OtherNodes(SharedTasks tasks) {
        this(tasks, new WatchedTasks(), new LostRuns());
    }
}
