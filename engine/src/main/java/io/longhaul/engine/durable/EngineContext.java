package io.longhaul.engine.durable;

import io.longhaul.engine.TaskIds;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TaskTime;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.TaskStore;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadFactory;

/**
 * What an engine is given from outside.
 *
 * @param works by name; more may come
 */
record EngineContext(
        TaskStore store,
        TaskTime time,
        TaskLimits limits,
        TaskIds ids,
        ThreadFactory threads,
        ConcurrentMap<String, Work> works) {

    void fork(String name, Runnable action) {
        var thread = threads.newThread(action);
        thread.setName(name);
        thread.start();
    }
}
