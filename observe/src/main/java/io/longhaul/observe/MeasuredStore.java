package io.longhaul.observe;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskId;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Passes each call on to a store, and measures the commits of tasks. Thread-safe. */
final class MeasuredStore implements TaskStore {

    private static final Duration SHORTEST = Duration.ofNanos(50_000);
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /** What becomes of a commit. */
    private enum Result {
        COMMITTED,
        STALE,
        FENCED,
        MISSING,
        KEY_TAKEN,
        FULL,
        FAILED
    }

    private final TaskStore store;
    private final MeterRegistry registry;
    private final TaskMeters tasks;
    private final Map<Result, Timer> commits = new EnumMap<>(Result.class);

    MeasuredStore(TaskStore store, MeterRegistry registry, TaskMeters tasks) {
        this.store = store;
        this.registry = registry;
        this.tasks = tasks;
        for (var result : Result.values()) {
            commits.put(
                    result,
                    Timer.builder(Names.STORE_COMMIT)
                            .description("Time of a commit to the task store, with the wait for the one writer")
                            .tag("result", result.name().toLowerCase(Locale.ROOT))
                            .serviceLevelObjectives(Names.buckets(SHORTEST, LONGEST))
                            .register(registry));
        }
    }

    @Override
    public CommitResult commit(Change change) {
        var sample = Timer.start(registry);
        CommitResult done;
        try {
            done = store.commit(change);
        } catch (StoreFullException e) {
            stop(sample, Result.FULL);
            throw e;
        } catch (StoreException e) {
            stop(sample, Result.FAILED);
            throw e;
        }
        stop(sample, result(done));
        if (done instanceof CommitResult.Committed) {
            tasks.changed(change.before(), change.after());
        }
        return done;
    }

    private void stop(Timer.Sample sample, Result result) {
        sample.stop(commits.get(result));
    }

    private static Result result(CommitResult done) {
        return switch (done) {
            case CommitResult.Committed committed -> Result.COMMITTED;
            case CommitResult.Stale stale -> Result.STALE;
            case CommitResult.Fenced fenced -> Result.FENCED;
            case CommitResult.Missing missing -> Result.MISSING;
            case CommitResult.KeyTaken taken -> Result.KEY_TAKEN;
        };
    }

    @Override
    public Lease join(String node, Instant now) {
        return store.join(node, now);
    }

    @Override
    public void leave(Lease lease, Instant now) {
        store.leave(lease, now);
    }

    @Override
    public List<Task> claim(Lease lease, int limit, Instant now) {
        return store.claim(lease, limit, now);
    }

    @Override
    public Optional<Task> find(TaskId id) {
        return store.find(id);
    }

    @Override
    public Optional<Task> findByKey(Owner owner, String keyValue) {
        return store.findByKey(owner, keyValue);
    }

    @Override
    public List<Task> list(Owner owner, @Nullable TaskId before, int limit) {
        return store.list(owner, before, limit);
    }

    @Override
    public List<Task> list(@Nullable TaskId before, int limit) {
        return store.list(before, limit);
    }

    @Override
    public List<Task> routed(Owner owner, Route route, @Nullable TaskId after, int limit) {
        return store.routed(owner, route, after, limit);
    }

    @Override
    public List<TaskEvent> history(TaskId id, long after, int limit) {
        return store.history(id, after, limit);
    }

    @Override
    public boolean remove(TaskId id) {
        return store.remove(id);
    }

    @Override
    public int sweep(Instant now, int limit) {
        return store.sweep(now, limit);
    }

    @Override
    public RowStore rows() {
        return store.rows();
    }

    @Override
    public void close() {
        store.close();
    }
}
