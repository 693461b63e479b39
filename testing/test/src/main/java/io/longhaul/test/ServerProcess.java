// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Lease;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.server.McpServer;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BiFunction;

/** A server from one start to its end: the state that a real process would lose. Thread-safe. */
final class ServerProcess {

    final FaultyTaskStore store;
    final McpServer server;
    private final Time time;

    /** @param start starts a server with the given store and time */
    ServerProcess(TaskStore kept, TaskTime clock, News news, BiFunction<TaskStore, TaskTime, McpServer> start) {
        store = new FaultyTaskStore(new Told(kept, news), 0);
        time = new Time(clock);
        server = start.apply(new Leased(), time);
    }

    /** Cuts the server off from its store and its clock, so that it has no lasting effects any more. */
    void cutOff() {
        time.isOver = true;
        store.breakDown();
    }

    /**
     * Ends the threads of the server; the store stays open. Calls that the test holds in the store go on, because the
     * test waits for this method.
     */
    void end() {
        store.release();
        store.slow(time, Duration.ZERO);
        server.close();
    }

    /** The store of the server; a killed server does not hand its lease back. */
    private final class Leased extends ForwardingStore {

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

    /** The time of the server; its alarms are lost with the process. */
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

    /** A store that reports commits, and outlives the server. */
    private static final class Told extends ForwardingStore {
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
            // Stays open: the test reads the store, and reopens it for the next process.
        }
    }
}
