// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.simulation;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.task.Attempts;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Execution;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is durable of one task, followed commit by commit: what may never change is checked with each. */
final class KnownTask {

    /** A node polls more often than that. */
    private static final Duration NEWS = Duration.ofSeconds(3);

    private static final Outcome BROKEN = new Outcome.Error(-32603, "Internal error", null);

    final TaskId id;
    final Map<String, Payload> steps = new HashMap<>();
    final Set<String> pieces = new LinkedHashSet<>();
    final Set<Retention> wanted = new HashSet<>();
    /** Those that it has called, by name. */
    final Map<String, KnownTask> children = new TreeMap<>();

    boolean hasHandle;
    boolean isRemoved;
    int runs;

    private final EngineWorld world;
    private @Nullable Task last;
    private @Nullable Instant firstStart;
    private boolean isHandedBack;
    private boolean isDeletionTried;
    private int crashesInARow;
    private long acknowledgedAt = Long.MAX_VALUE;
    private Instant troubledAt = Instant.MIN;
    private Instant writtenAt = Instant.MIN;
    private Instant createdAt = Instant.MAX;
    private Instant failedAt = Instant.MIN;
    private @Nullable Instant freeSince;

    KnownTask(EngineWorld world, TaskId id) {
        this.world = world;
        this.id = id;
    }

    /** The task as the store has it, or had it last. */
    Task last() {
        return Objects.requireNonNull(last, "not stored");
    }

    boolean isStored() {
        return last != null && !isRemoved;
    }

    /** The one that has called it; null for a task that came from outside. */
    @Nullable
    KnownTask parent() {
        var id = last == null ? null : last.spec().parent();
        return id == null ? null : world.known(id);
    }

    /** Whether its parent lives, and may ask for it. */
    boolean isKept() {
        var parent = parent();
        return parent != null && parent.isLive();
    }

    /** Its owner wants it deleted, and all that it has called with it. */
    void deletionTried() {
        isDeletionTried = true;
        children.values().forEach(KnownTask::deletionTried);
    }

    boolean isDeletionTried() {
        return isDeletionTried;
    }

    boolean isLive() {
        return isStored() && last().ending() == null;
    }

    boolean hasEndedWork() {
        var ending = last().ending();
        return ending != null && ending.workEnded();
    }

    /** The store, or the stop of a job, has failed for it: the engine may take its time, with its parent too. */
    void troubled(Instant at) {
        troubledAt = at;
        var parent = parent();
        if (parent != null) {
            parent.troubled(at);
        }
    }

    /** Whether something failed for it within {@code duration}. */
    boolean isTroubled(Instant now, Duration duration) {
        return troubledAt.isAfter(now.minus(duration));
    }

    @Nullable
    Instant firstStart() {
        return firstStart;
    }

    /** Its creator is told of it. */
    void acknowledged() {
        acknowledgedAt = world.scheduler.next();
    }

    /** Whether it waits certainly before the other one: it was there first, and goes first after a restart too. */
    boolean standsBefore(KnownTask other) {
        return last().state() == TaskState.SUBMITTED
                && acknowledgedAt < ModelClients.calledAt(other.last())
                && id.compareTo(other.id) < 0
                && !isOf(EngineWorld.LATE);
    }

    void claimed(Task task) {
        last = task;
        freeSince = null;
        writtenAt = world.time.now();
    }

    /** Whether other nodes than the one that wrote it last may not know of that yet. */
    boolean isNews() {
        return world.isShared() && writtenAt.isAfter(world.time.now().minus(NEWS));
    }

    /** When it was stored, by the time of the world. */
    Instant createdAt() {
        return createdAt;
    }

    /** Whether it was written last before that. */
    boolean isOlderThan(Instant time) {
        return writtenAt.isBefore(time);
    }

    /** For how long no node has had it, as far as anybody has looked. */
    Duration freeFor() {
        if (world.holds(last().execution().lease())) {
            freeSince = null;
            return Duration.ZERO;
        }
        if (freeSince == null) {
            freeSince = world.time.now();
        }
        return Duration.between(freeSince, world.time.now());
    }

    void committed(Change change) {
        var before = last;
        var after = change.after();
        long seq = before == null ? 0 : before.position().lastEvent();
        for (var event : change.events()) {
            require(event.seq() == ++seq, "has event %d in place of %d", event.seq(), seq);
            happened(event.what(), event.at());
        }
        require(
                seq == after.position().lastEvent(),
                "counts %d events",
                after.position().lastEvent());
        if (before == null) {
            if (after.spec().parent() == null) {
                wanted.add(after.status().retention());
            }
            createdAt = world.time.now();
        } else {
            checkKept(before, after, change.fence() == null);
            checkRetry(before.execution().attempts(), after.execution());
        }
        last = after;
        writtenAt = world.time.now();
        world.written(after);
        if (before == null) {
            Families.created(this);
        } else if (!before.status().retention().equals(after.status().retention())) {
            Families.retained(this);
        }
        checkEnd(before, after);
        if (firstStart != null && (before == null || before.state() == TaskState.SUBMITTED)) {
            world.turns.begun(this);
        }
    }

    private void happened(EventDetail what, Instant at) {
        switch (what) {
            case EventDetail.StepDone done -> {
                require(steps.put(done.name(), done.result()) == null, "has done %s twice", done.name());
                crashesInARow = 0;
            }
            case EventDetail.Emitted piece -> {
                require(pieces.add(piece.output().text()), "has put out %s twice", piece);
                crashesInARow = 0;
            }
            case EventDetail.Answered answered -> crashesInARow = 0;
            case EventDetail.Started started -> {
                firstStart = started.attempt() == 1 ? at : firstStart;
                isHandedBack = false;
            }
            case EventDetail.HandedBack back -> isHandedBack = true;
            case EventDetail.Crashed crashed -> {
                require(!isHandedBack, "was handed back, and counts as crashed");
                crashesInARow++;
            }
            default -> {
                // shows in the task
            }
        }
    }

    private void checkKept(Task before, Task after, boolean byAnybody) {
        require(after.position().version() == before.position().version() + 1, "skips a version");
        require(after.spec().equals(before.spec()), "has another origin");
        require(isWanted(after.status().retention()), "is kept as nobody wanted");
        require(
                after.execution().attempts().crashes() <= world.limits.crashAttempts(),
                "runs again after too many crashes");
        require(
                after.execution().attempts().crashes() <= crashesInARow,
                "counts crashes from before it recorded something new");
        require(!byAnybody || isSameRun(before.execution(), after.execution()), "changes hands without a lease");
        require(after.status().inputs().size() <= world.limits.inputsPerTask(), "asks more than it may");
        var keys = new HashMap<String, InputRequest>();
        after.status()
                .inputs()
                .forEach(input -> require(keys.put(input.key(), input) == null, "uses key %s twice", input.key()));
        for (var input : before.status().inputs()) {
            var now = keys.get(input.key());
            require(
                    now != null && (input.isOutstanding() || input.equals(now)),
                    "has lost the answer to %s",
                    input.key());
        }
        var ending = before.ending();
        if (ending != null) {
            var now = after.ending();
            require(now != null && now.outcome().equals(ending.outcome()), "had ended with %s", ending.outcome());
            require(now != null && (now.workEnded() || !ending.workEnded()), "works again after its end");
        }
    }

    /**
     * A failure is counted once, no attempt begins before its time, and the job of the failure is over. A node whose
     * clock is behind that of the node that wrote the time waits for the longest pause, and no longer.
     */
    private void checkRetry(Attempts before, Execution after) {
        var attempts = after.attempts();
        if (attempts.failed() > before.failed()) {
            require(before.retryAt() == null, "fails in the pause before a retry");
            require(attempts.failed() <= EngineWorld.REPEATED.count(), "is retried too often");
            hasHandle = false;
            failedAt = world.time.now();
        }
        if (attempts.started() > before.started() && before.retryAt() != null && world.hasSteadyClocks()) {
            var node = world.nodes.stream().filter(each -> each.holds(this)).findFirst();
            boolean isLongest = !world.time.now().isBefore(failedAt.plus(EngineWorld.REPEATED.longest()));
            require(
                    isLongest
                            || node.stream().noneMatch(each -> each.clock.now().isBefore(before.retryAt())),
                    "is retried before its time");
        }
    }

    private static boolean isSameRun(Execution before, Execution after) {
        return Objects.equals(before.lease(), after.lease())
                && Objects.equals(before.handle(), after.handle())
                && before.attempts().started() == after.attempts().started();
    }

    /** A child is kept for its parent first, and then for its own time from when that has ended. */
    private boolean isWanted(Retention retention) {
        if (parent() == null || wanted.contains(retention)) {
            return wanted.contains(retention);
        }
        var own = retention.basis() == Retention.Basis.LEAVING ? retention.duration() : retention.afterEnd();
        return own.equals(ScriptedCalls.KEEP)
                || wanted.stream().map(Retention::duration).anyMatch(own::equals);
    }

    /** Whether a client wants it kept as it is. */
    boolean isWanted() {
        return wanted.contains(last().status().retention());
    }

    private void checkEnd(@Nullable Task before, Task after) {
        var ending = after.ending();
        if (ending == null) {
            return;
        }
        if (before == null || before.ending() == null) {
            checkOutcome(after, ending.outcome(), ending.at());
        }
        if (ending.workEnded() && (before == null || !hadEndedWork(before))) {
            require(world.attemptsOf(this, after.execution().lease()).isEmpty(), "is over, and works");
            require(!world.jobs.isRunning(id), "is over, and its job runs");
            children.values().forEach(Families::check);
        }
    }

    private static boolean hadEndedWork(Task before) {
        var ending = before.ending();
        return ending != null && ending.workEnded();
    }

    private void checkOutcome(Task task, Outcome outcome, Instant at) {
        if (outcome.equals(BROKEN)) {
            require(task.spec().request().text().endsWith("x"), "ends as if its tool were broken");
        }
        if (outcome instanceof Outcome.Result) {
            require(
                    outcome.equals(ScriptedBackend.result(task.spec().request().text())),
                    "has a result of another: %s",
                    outcome);
        }
        if (!(outcome instanceof Outcome.Failed failed)) {
            return;
        }
        if (failed.reason() == FailureReason.TIMED_OUT && world.hasSteadyClocks()) {
            var timeout = world.timeout(task);
            require(
                    failed.message().contains("said nothing")
                            || firstStart != null && timeout != null && !at.isBefore(firstStart.plus(timeout)),
                    "is timed out too early");
            checkIdle(task, failed);
        }
        if (failed.reason() == FailureReason.UNANSWERED && world.hasSteadyClocks()) {
            require(
                    task.outstanding().stream()
                            .anyMatch(question -> !question.isOfChild() && !at.isBefore(question.deadline())),
                    "is unanswered too early");
        }
        boolean mayBeInterrupted = world.policy(task) == CrashPolicy.FAIL
                || task.execution().attempts().crashes() >= world.limits.crashAttempts()
                || failed.message().contains("does not offer");
        require(
                failed.reason() != FailureReason.INTERRUPTED || mayBeInterrupted,
                "is given up, though it may run again: %s",
                failed);
    }

    private void checkIdle(Task task, Outcome.Failed failed) {
        if (failed.message().contains("said nothing")) {
            var idle = world.idle;
            world.attemptsOf(this, task.execution().lease())
                    .forEach(attempt -> require(
                            idle != null
                                    && (attempt.said == null
                                            || !world.time.now().isBefore(attempt.said.plus(idle))),
                            "is ended too early as if it said nothing"));
        }
    }

    /** Whether it is of that work; true also where it is not known. */
    boolean isOf(String work) {
        return last == null || last.spec().work().equals(work);
    }

    /** Whether it is that owner's; true also where that is not known. */
    boolean isOf(Owner owner) {
        return last == null || last.owner().equals(owner);
    }

    /** The retention of the task is over for one who says that it is {@code now}. */
    boolean isExpired(Instant now) {
        var ending = last().ending();
        var expiry = last().expiry();
        return ending != null && ending.workEnded() && expiry != null && !expiry.isAfter(now);
    }

    void require(boolean holds, String what, Object... details) {
        if (!holds) {
            world.fail(id + " " + what.formatted(details) + "; before: " + last);
        }
    }

    /** The questions that it asks of its requestor and that have no answer. */
    List<InputRequest> outstanding() {
        return last().outstanding();
    }

    @Override
    public String toString() {
        return id + ": " + last;
    }
}
