// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.PassingStore;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Lease;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.server.McpServer;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BiFunction;

/** A server from a start to its end: what a real process would take with it. Thread-safe. */
final class ServerProcess {

    final FaultyTaskStore store;
    final McpServer server;
    private final Time time;

    /** @param start starts a server with this store and this time */
    ServerProcess(TaskStore kept, TaskTime clock, News news, BiFunction<TaskStore, TaskTime, McpServer> start) {
        store = new FaultyTaskStore(new Told(kept, news), 0);
        time = new Time(clock);
        server = start.apply(new Leased(), time);
    }

    /** From now on it does nothing that lasts: neither its store nor its clock serves it any more. */
    void cutOff() {
        time.isOver = true;
        store.breakDown();
    }

    /**
     * Ends its threads; the store stays open. What waits for the test in the store goes on: the test waits for this.
     */
    void end() {
        store.release();
        store.slow(time, Duration.ZERO);
        server.close();
    }

    /** The store of a server, which gives nothing back where it is killed. */
    private final class Leased extends PassingStore {

        Leased() {
            super(store);
        }

        @Override
        public void leave(Lease lease, Instant now) {
            if (!time.isOver) {
                super.leave(lease, now);
            }
        }
    }

    /** Time whose alarms are lost with the process. */
    private static final class Time implements TaskTime {
        private final TaskTime clock;
        private volatile boolean isOver;

        Time(TaskTime clock) {
            this.clock = clock;
        }

        @Override
        public Instant now() {
            return clock.now();
        }

        @Override
        public Alarm at(Instant when, Runnable action) {
            return clock.at(when, () -> {
                if (!isOver) {
                    action.run();
                }
            });
        }
    }

    /** Tells of commits, and outlives the server. */
    private static final class Told extends PassingStore {
        private final News news;

        Told(TaskStore kept, News news) {
            super(kept);
            this.news = news;
        }

        @Override
        public CommitResult commit(Change change) {
            var result = super.commit(change);
            news.tell();
            return result;
        }

        @Override
        public void close() {
            // The test reads it, and opens it for the next process.
        }
    }
}
