// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.schedule;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.file.operate.Pauses;
import io.longhaul.file.operate.Pauses.Kind;
import io.longhaul.file.schedule.ScheduleEntry.Missed;
import io.longhaul.file.schedule.ScheduleEntry.Overlap;
import io.longhaul.server.ServerTasks;
import io.longhaul.server.ServerTasks.Started;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the tools of schedules when they are due. Each server of a database makes the call, under a creation key of the
 * schedule and the time, so that the store makes one task of all. One row of the store has the time of the last call,
 * another the task of the last call that was made. Thread-safe.
 */
public final class Schedules implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Schedules.class);
    private static final String SPACE = "schedule";
    private static final String RUNS = "schedule-runs";
    private static final Duration AGAIN = Duration.ofSeconds(10);

    /** How long after the end of a task a call that waits for that is made, at most. */
    private static final Duration ENDED = Duration.ofSeconds(1);

    /** The longest delay of a call after the clock was set, or the machine slept. */
    private static final Duration LOOK = Duration.ofMinutes(1);

    /** The most by which the clock of another server is taken to be ahead. */
    private static final Duration AHEAD = Duration.ofHours(1);

    private final TaskTime time;
    private final RowStore rows;
    private final Pauses pauses;
    private final ServerTasks tasks;
    /** By the name of a schedule, the task that was last told to stand in its way. */
    private final Map<String, TaskId> told = new ConcurrentHashMap<>();

    /** By their names. What was to be done for another schedule is left out. */
    private volatile Map<String, ScheduleEntry> followed = Map.of();

    private volatile boolean isClosed;

    /**
     * @param rows  of the store of the tasks
     * @param tasks make the calls
     */
    public Schedules(TaskTime time, RowStore rows, ServerTasks tasks) {
        this.time = time;
        this.rows = rows;
        this.pauses = new Pauses(rows);
        this.tasks = tasks;
    }

    /** Follows these schedules from now on; one that is followed already goes on. */
    public synchronized void begin(List<ScheduleEntry> schedules) {
        var before = followed;
        followed = schedules.stream().collect(Collectors.toUnmodifiableMap(ScheduleEntry::name, Function.identity()));
        schedules.stream()
                .filter(schedule -> !schedule.equals(before.get(schedule.name())))
                .forEach(schedule -> later(schedule, time.now(), () -> takeUp(schedule)));
    }

    /** Makes a missed call, where that is configured, and waits for the next one. */
    private void takeUp(ScheduleEntry schedule) {
        Instant now = time.now();
        Instant last = schedule.times().upTo(now);
        var called = rows.get(SPACE, schedule.name(), now);
        boolean isMissed =
                called.isPresent() && Instant.parse(called.get().value().text()).isBefore(last);
        if (isMissed && schedule.missed() == Missed.ONCE) {
            call(schedule, last);
            return;
        }
        if (isMissed) {
            log.info("what was due of the schedule {} until {} is skipped", schedule.name(), last);
        }
        if (isMissed || called.isEmpty()) {
            record(schedule, last);
        }
        awaitNext(schedule, now);
    }

    /** Makes a call, unless another server has made it and its task may be gone. */
    private void call(ScheduleEntry schedule, Instant due) {
        boolean isMade = rows.get(SPACE, schedule.name(), time.now())
                .filter(row -> isCalled(row, due))
                .isPresent();
        if (!isMade && pauses.has(Kind.SCHEDULE, schedule.name(), time.now())) {
            log.info("the schedule {} is paused, and leaves out its call of {}", schedule.name(), due);
            record(schedule, due);
        } else if (!isMade) {
            var running = running(schedule);
            if (running.isPresent() && schedule.overlap() == Overlap.QUEUE) {
                var waits = "The schedule " + schedule.name() + " waits with its call of " + due
                        + " until this task has ended; calls that are due until then are left out.";
                tell(schedule, running.get(), waits);
                later(schedule, time.now().plus(ENDED), () -> call(schedule, due));
                return;
            }
            callBeside(running, schedule, due);
            record(schedule, due);
        }
        // One call stands for all that were due while the machine slept.
        Instant now = time.now();
        awaitNext(schedule, now.isAfter(due) ? now : due);
    }

    private void callBeside(Optional<Task> running, ScheduleEntry schedule, Instant due) {
        if (running.isPresent() && schedule.overlap() == Overlap.SKIP) {
            var leftOut = "The schedule " + schedule.name() + " leaves out its call of " + due
                    + " and all that are due while this task runs.";
            tell(schedule, running.get(), leftOut);
            return;
        }
        running.ifPresent(task -> {
            log.info("the schedule {} of {} replaces task {}", schedule.name(), due, task.id());
            tasks.cancel(task.id(), "The schedule " + schedule.name() + " of " + due + " replaces this task.");
        });
        start(schedule, due);
    }

    /** The task of the last call, where that call stands in the way of the next one. */
    private Optional<Task> running(ScheduleEntry schedule) {
        return schedule.overlap() == Overlap.ALL
                ? Optional.empty()
                : rows.get(RUNS, schedule.name(), time.now())
                        .flatMap(row -> tasks.find(new TaskId(row.value().text())))
                        .filter(task -> !task.state().isTerminal());
    }

    /** Tells once for each task, in the log of the server and in that of the task. */
    private void tell(ScheduleEntry schedule, Task running, String line) {
        if (!running.id().equals(told.put(schedule.name(), running.id()))) {
            log.info("task {} still runs: {}", running.id(), line);
            tasks.log(running.id(), line);
        }
    }

    private void start(ScheduleEntry schedule, Instant due) {
        switch (started(schedule, due.toString())) {
            case Started.New(var task) -> {
                log.info("the schedule {} has made task {}", schedule.name(), task.id());
                runs(schedule, task);
            }
            case Started.Same(var task) -> {
                log.debug("the schedule {} of {} has its task", schedule.name(), due);
                runs(schedule, task);
            }
            case Started.Refused(var rule, var problem) ->
                log.warn("the schedule {} of {} is not called: {}", schedule.name(), due, problem);
            case Started.NotFound none -> throw new IllegalStateException("a start looks for no task");
        }
    }

    private Started started(ScheduleEntry schedule, String what) {
        var arguments = schedule.arguments().isObject() ? schedule.arguments() : Map.of();
        return tasks.start(schedule.tool(), arguments, "schedule " + schedule.name() + " " + what);
    }

    /**
     * Makes a call that is not due, beside any other.
     *
     * @param order the id of what an operator orders, for which one call is made
     * @return the id of its task
     * @throws IllegalArgumentException where the call is refused
     */
    public String run(ScheduleEntry schedule, String order) {
        return switch (started(schedule, order)) {
            case Started.New(var task) -> task.id().value();
            case Started.Same(var task) -> task.id().value();
            case Started.Refused(var rule, var problem) -> throw new IllegalArgumentException(problem);
            case Started.NotFound none -> throw new IllegalStateException("a start looks for no task");
        };
    }

    private void runs(ScheduleEntry schedule, Task task) {
        rows.put(new StoredRow(RUNS, schedule.name(), Payload.ofText(task.id().value()), null));
    }

    /** Whether the row says that a call was made. A time far ahead comes from a wrong clock, and says nothing. */
    private boolean isCalled(StoredRow row, Instant due) {
        var last = Instant.parse(row.value().text());
        return !last.isBefore(due) && !last.isAfter(time.now().plus(AHEAD));
    }

    private void awaitNext(ScheduleEntry schedule, Instant after) {
        await(schedule, schedule.times().after(after));
    }

    private void await(ScheduleEntry schedule, Instant due) {
        Instant look = time.now().plus(LOOK);
        later(schedule, look.isBefore(due) ? look : due, () -> {
            if (time.now().isBefore(due)) {
                await(schedule, due);
            } else {
                call(schedule, due);
            }
        });
    }

    private void record(ScheduleEntry schedule, Instant due) {
        var called = new StoredRow(SPACE, schedule.name(), Payload.ofText(due.toString()), null);
        var known = rows.change(SPACE, schedule.name(), time.now(), row -> isCalled(row, due) ? row : called);
        if (known.isEmpty()) {
            rows.put(called);
        }
    }

    /** Runs an action later, and again where the storage fails. */
    private void later(ScheduleEntry schedule, Instant when, Runnable action) {
        time.at(
                when,
                () -> Thread.ofVirtual().name("longhaul-schedule").start(() -> {
                    if (isClosed || !schedule.equals(followed.get(schedule.name()))) {
                        return;
                    }
                    try {
                        action.run();
                    } catch (StoreException e) {
                        log.warn("a schedule is tried again in {} s: {}", AGAIN.toSeconds(), e.getMessage());
                        later(schedule, time.now().plus(AGAIN), action);
                    }
                }));
    }

    /** Makes no new calls. A call that has begun ends by itself. */
    @Override
    public void close() {
        isClosed = true;
    }
}
