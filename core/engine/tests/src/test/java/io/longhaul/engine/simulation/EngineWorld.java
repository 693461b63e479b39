// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.simulation;

import io.longhaul.engine.RandomTaskIds;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.run.Rate;
import io.longhaul.engine.run.Retry;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.FaultyTaskStore.Fault;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.testkit.SeededScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What outlives a process: the store, the jobs, the real time, and what is known of every task. */
final class EngineWorld {

    static final String LATE = "late";

    /** The longest pause after which the engine tries again what has failed. */
    static final Duration RETRY = Duration.ofSeconds(62);

    /** How often work is run again that fails. */
    static final Retry REPEATED = new Retry(2, Duration.ofSeconds(20));

    /** The kinds of work, without their backends. */
    static final List<Work> WORKS = List.of(
            kind("fail", CrashPolicy.FAIL, null),
            kind("restart", CrashPolicy.RESTART, Duration.ofMinutes(4)),
            kind("reattach", CrashPolicy.REATTACH, Duration.ofMinutes(5)),
            kind(LATE, CrashPolicy.RESTART, null));

    private static final int TRACE = Integer.getInteger("simulation.trace", 60);

    final Random random;
    final SeededScheduler scheduler;
    final FakeTime time = new FakeTime(Runnable::run);
    final ModelJobs jobs = new ModelJobs();
    final List<EngineNode> nodes = new ArrayList<>();
    /** Those too of nodes that are gone. */
    final List<NodeClock> clocks = new ArrayList<>();

    final RandomTaskIds ids;
    final FaultyTaskStore faults;
    private final MemoryTaskStore store;
    private final boolean isShared;
    final TaskLimits limits;
    final OwnerTurns turns = new OwnerTurns(this);

    private final Map<TaskId, KnownTask> tasks = new TreeMap<>();
    private final Deque<String> trace = new ArrayDeque<>();
    private final boolean hasSteadyClocks;
    private final @Nullable Duration suspendAfter;
    /** How long work may say nothing; null for as long as it likes. */
    final @Nullable Duration idle;

    private final @Nullable Rate rate;
    private final int priorityOfRestart;
    private boolean isFaulty;
    private @Nullable AssertionError fault;
    private int digest;
    private int steps;

    EngineWorld(int seed) {
        random = new Random(seed);
        scheduler = new SeededScheduler(random);
        ids = new RandomTaskIds(new Random(seed));
        isShared = random.nextInt(3) == 0;
        store = isShared ? MemoryTaskStore.shared(time) : new MemoryTaskStore();
        faults = new FaultyTaskStore(new WatchedStore(this, store), seed);
        limits = limits(random.nextBoolean());
        hasSteadyClocks = random.nextBoolean();
        suspendAfter = random.nextBoolean() ? Duration.ofSeconds(1 + random.nextInt(120)) : null;
        isFaulty = random.nextInt(3) > 0;
        if (isFaulty) {
            faults.chance(Fault.FAIL_BEFORE, 0.02);
            faults.chance(Fault.FAIL_AFTER, 0.02);
            faults.chance(Fault.STALE, 0.02);
        }
        idle = random.nextBoolean() ? Duration.ofSeconds(30 + random.nextInt(120)) : null;
        rate = random.nextInt(3) == 0 ? new Rate(1 + random.nextInt(3), Duration.ofSeconds(20)) : null;
        priorityOfRestart = random.nextInt(3) - 1;
    }

    Work.Bounds bounds(Work work) {
        return new Work.Bounds(work.timeout(), idle, EngineNode.RUNNING_OF_A_KIND, priority(work.name()), rate);
    }

    int priority(String work) {
        return work.equals("restart") ? priorityOfRestart : 0;
    }

    /** Whether work waits for more than a slot before it begins. */
    boolean hasRate() {
        return rate != null;
    }

    private TaskLimits limits(boolean queues) {
        return TaskLimits.builder()
                .crashAttempts(2)
                .livePerOwner(queues ? 1 + random.nextInt(3) : 5)
                .queuedPerOwner(queues ? 1 + random.nextInt(4) : 0)
                .running(4)
                .inputsPerTask(6)
                .offerGrace(Duration.ofMinutes(1))
                .handBackGrace(Duration.ofSeconds(20))
                .nodeLostAfter(Duration.ofSeconds(random.nextInt(100)))
                .build();
    }

    /** How long a task is left to a node that is gone. */
    Duration patience(Task task) {
        boolean hasBegun = task.execution().attempts().started() > 0;
        return policy(task) == CrashPolicy.REATTACH && hasBegun ? limits.nodeLostAfter() : Duration.ZERO;
    }

    /** An operator has a node drained, or no longer. */
    void drain(String node, boolean isDraining) {
        store.sharedTasks().ifPresent(shared -> shared.drain(node, isDraining));
    }

    /** How long work that is run again waits for an answer with a thread; null for as long as needed. */
    @Nullable
    Duration suspendAfter(Work work) {
        return work.crashPolicy() == CrashPolicy.RESTART ? suspendAfter : null;
    }

    private static Work kind(String name, CrashPolicy policy, @Nullable Duration timeout) {
        return new Work(name, run -> ScriptedBackend.result(""), policy, timeout, 1);
    }

    KnownTask known(TaskId id) {
        return tasks.computeIfAbsent(id, key -> new KnownTask(this, key));
    }

    /** Those that are in the store, oldest first. */
    List<KnownTask> stored() {
        return tasks.values().stream().filter(KnownTask::isStored).toList();
    }

    /** Those too that were never stored, or are removed. */
    Collection<KnownTask> all() {
        return tasks.values();
    }

    CrashPolicy policy(Task task) {
        return kindOf(task).crashPolicy();
    }

    @Nullable
    Duration timeout(Task task) {
        return kindOf(task).timeout();
    }

    private static Work kindOf(Task task) {
        return WORKS.stream()
                .filter(work -> work.name().equals(task.spec().work()))
                .findAny()
                .orElseThrow();
    }

    /** Whether several nodes have the store at once. */
    boolean isShared() {
        return isShared;
    }

    /** Whether a lease holds at this moment. */
    boolean holds(@Nullable Lease lease) {
        return lease != null && store.holds(lease);
    }

    /** The calls of backends for the latest attempt that have not returned, in the node with that lease. */
    List<ModelAttempt> attemptsOf(KnownTask task, @Nullable Lease lease) {
        return nodes.stream()
                .filter(node -> lease != null && lease.equals(node.lease()))
                .flatMap(node -> node.attempts.stream())
                .filter(attempt -> attempt.task == task && attempt.isLatest())
                .toList();
    }

    /** The latest time that any node has ever seen. */
    Instant latest() {
        return clocks.stream().map(NodeClock::latest).max(Instant::compareTo).orElse(time.now());
    }

    /** Whether each clock is wrong by the same time for as long as its node lives. */
    boolean hasSteadyClocks() {
        return hasSteadyClocks;
    }

    /** Whether the store fails at times. */
    boolean isFaulty() {
        return isFaulty;
    }

    boolean isUnlucky() {
        return isFaulty && random.nextInt(10) == 0;
    }

    /** From now on nothing fails any more. */
    void heal() {
        isFaulty = false;
        faults.repair();
        for (var fault : Fault.values()) {
            faults.chance(fault, 0);
        }
        stored().forEach(task -> task.troubled(time.now()));
    }

    /** Time goes by, alarm by alarm. */
    void advance(Duration duration) {
        var until = time.now().plus(duration);
        for (var next = time.nextAlarm(); next.isPresent() && !next.get().isAfter(until); next = time.nextAlarm()) {
            time.set(next.get());
            if (random.nextInt(4) > 0) {
                scheduler.run();
            } else {
                scheduler.run(random.nextInt(10));
            }
        }
        time.set(until);
    }

    void require(boolean holds, String what, @Nullable Object... details) {
        if (!holds) {
            fail(what.formatted(details));
        }
    }

    void fail(String what) {
        fail(what, null);
    }

    /** Keeps the first fault, on whichever thread it shows. */
    void fail(String what, @Nullable Throwable cause) {
        if (fault == null) {
            fault = new AssertionError(what, cause);
            log(what);
        }
    }

    void throwFault() {
        if (fault != null) {
            throw fault;
        }
    }

    void nextStep() {
        steps++;
    }

    void log(String what) {
        digest = digest * 31 + what.hashCode();
        trace.add(steps + " " + what);
        if (trace.size() > TRACE) {
            trace.removeFirst();
        }
    }

    void written(Task task) {
        digest = digest * 31 + task.hashCode();
    }

    /** A number that differs where anything differs that was done or written. */
    int digest() {
        return digest;
    }

    String trace() {
        return String.join("\n", trace);
    }
}
