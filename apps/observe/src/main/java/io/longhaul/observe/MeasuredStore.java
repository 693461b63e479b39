// SPDX-License-Identifier: Apache-2.0
package io.longhaul.observe;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Task;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measures the commits of tasks. Thread-safe. */
final class MeasuredStore extends ForwardingStore {

    private static final Duration SHORTEST = Duration.ofNanos(50_000);
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /** The result of a commit. */
    private enum Result {
        COMMITTED,
        STALE,
        FENCED,
        MISSING,
        KEY_TAKEN,
        FULL,
        FAILED
    }

    private final MeterRegistry registry;
    private final TaskMeters tasks;
    private final Counter claims;
    private final Counter takeovers;
    private final Map<Result, Timer> commits = new EnumMap<>(Result.class);

    MeasuredStore(TaskStore store, MeterRegistry registry, TaskMeters tasks) {
        super(store);
        this.registry = registry;
        this.tasks = tasks;
        claims = claims(false);
        takeovers = claims(true);
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

    private Counter claims(boolean isBegun) {
        return Counter.builder(Names.TASK_CLAIMS)
                .description("Tasks that this node has taken over from an earlier process or another node")
                .tag("begun", String.valueOf(isBegun))
                .register(registry);
    }

    @Override
    public CommitResult commit(Change change) {
        var sample = Timer.start(registry);
        CommitResult done;
        try {
            done = super.commit(change);
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

    @Override
    protected void afterClaim(List<Task> claimed) {
        long begun = claimed.stream()
                .filter(task -> task.execution().attempts().started() > 0)
                .count();
        takeovers.increment(begun);
        claims.increment(claimed.size() - begun);
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
}
