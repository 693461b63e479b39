// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import io.longhaul.bench.run.Scratch;
import io.longhaul.engine.RandomTaskIds;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.task.Execution;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskPosition;
import io.longhaul.store.jdbc.SqliteTaskStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Files with many tasks, made on first use and then copied for each measurement. A server makes one task, and the store
 * gets copies of the task under other ids. For one thread.
 */
public final class StoredTasks implements AutoCloseable {

    private static final int WRITERS = 64;

    /** The states of the tasks. */
    enum Kind {
        FINISHED("instant"),
        /** Each waits for an answer. */
        LIVE("ask");

        private final String tool;

        Kind(String tool) {
            this.tool = tool;
        }
    }

    /**
     * The contents of a file.
     *
     * @param count the number of tasks
     */
    record Stock(Kind kind, int count) {}

    private final Scratch scratch = Scratch.make();
    private final Map<Stock, TaskId> made = new HashMap<>();

    /** Starts without any file. */
    public StoredTasks() throws IOException {}

    /** Puts a file with these tasks at a free place, and gives the id of one of them. */
    TaskId put(Stock stock, Path place) throws Exception {
        var file = scratch.file(stock.kind() + "-" + stock.count());
        var first = made.get(stock);
        if (first == null) {
            first = fill(stock, file);
            made.put(stock, first);
        }
        Files.copy(file, place);
        return first;
    }

    private static TaskId fill(Stock stock, Path file) throws Exception {
        var first = make(stock.kind(), file);
        try (var store = SqliteTaskStore.at(file)) {
            var lease = store.join("bench", Instant.now());
            var task = store.find(first).orElseThrow();
            var events = store.history(first, 0, Integer.MAX_VALUE);
            var left = new AtomicInteger(stock.count() - 1);
            var ids = new RandomTaskIds();
            Callable<Void> writer = () -> {
                while (left.getAndDecrement() > 0) {
                    write(store, copy(task, ids.next(Instant.now()), lease, events));
                }
                return null;
            };
            try (var writers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (Future<Void> one : writers.invokeAll(Collections.nCopies(WRITERS, writer))) {
                    one.get();
                }
            }
        }
        return first;
    }

    private static TaskId make(Kind kind, Path file) throws Exception {
        try (var server = MeasuredStart.tools(file);
                var link = new HttpLink(server.address())) {
            link.initialize();
            var task = kind == Kind.FINISHED ? link.finish() : link.create(kind.tool);
            var state = "";
            while (kind == Kind.LIVE && !state.contains("input_required")) {
                state = link.ask(Era.SESSION, Step.get(), task).toString();
            }
            server.end();
            return new TaskId(task);
        }
    }

    private static Change copy(Task task, TaskId id, Lease lease, List<TaskEvent> events) {
        var position = task.position();
        return new Change(
                null,
                new Task(
                        id,
                        task.spec(),
                        task.status(),
                        new Execution(lease, task.execution().attempts(), null),
                        new TaskPosition(
                                1,
                                position.lastEvent(),
                                position.lastOutput(),
                                position.lastLog(),
                                position.updatedAt())),
                events,
                lease);
    }

    private static void write(SqliteTaskStore store, Change change) {
        if (!(store.commit(change) instanceof CommitResult.Committed)) {
            throw new IllegalStateException("not committed: " + change);
        }
    }

    @Override
    public void close() throws IOException {
        scratch.close();
    }
}
