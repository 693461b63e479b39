// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.TaskStatistics;
import io.longhaul.engine.TaskTime;
import io.longhaul.engine.TaskWatcher;
import io.longhaul.engine.attempt.Replay;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.lease.Creations.Wanted;
import io.longhaul.engine.lease.LeaseTerm;
import io.longhaul.engine.lease.LostLeaseException;
import io.longhaul.engine.lease.Membership;
import io.longhaul.engine.lease.SharedSlots;
import io.longhaul.engine.ledger.Audit;
import io.longhaul.engine.ledger.ChangeResult;
import io.longhaul.engine.ledger.Ledger;
import io.longhaul.engine.ledger.LiveTask;
import io.longhaul.engine.node.EngineContext;
import io.longhaul.engine.recovery.Shutdown;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.slot.Slots;
import io.longhaul.engine.store.ListedTasks;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.SharedTasks;
import io.longhaul.engine.store.SharedTasks.Standing;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.transition.Carried;
import io.longhaul.engine.transition.Command;
import io.longhaul.engine.watch.Watchers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The engine: finds the task that a caller names, and passes commands on to {@link Ledger}. */
public final class DurableEngine implements TaskEngine {

    private final EngineContext parts;
    private final String node;
    private final Slots slots;
    private final @Nullable SharedSlots shared;
    private final TaskReader reader;
    private final Sweeper sweeper;
    private final @Nullable Membership membership;
    private final Runnable afterClose;
    private final Instant startedAt;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ReentrantLock changing = new ReentrantLock();

    /** Written under {@link #changing}. */
    private volatile LeaseTerm term;

    DurableEngine(EngineContext parts, String node, Runnable afterClose) {
        this.parts = parts;
        this.node = node;
        this.afterClose = afterClose;
        startedAt = parts.time().now();
        var others = parts.others();
        shared = others == null
                ? null
                : new SharedSlots(parts, others, () -> term.runner().lease());
        slots = shared == null
                ? new Slots(parts.limits().running(), parts.works().values(), parts.time())
                : shared.slots();
        reader = new TaskReader(parts, () -> term);
        sweeper = new Sweeper(parts);
        // model: start_node
        term = term(parts.store().join(node, parts.time().now()));
        membership = shared == null
                ? null
                : new Membership(parts, others, shared, () -> term, () -> beginTerm(others.tasks()));
        if (membership == null) {
            term.recovery().run();
        } else {
            membership.start();
        }
        sweeper.schedule();
    }

    private LeaseTerm term(Lease lease) {
        return new LeaseTerm(parts, lease, slots, this, this::create);
    }

    private void beginTerm(SharedTasks store) {
        // model: join_anew
        changing.lock();
        try {
            if (!closed.get()) {
                term.runner().loseAll();
                if (shared != null) {
                    shared.lose();
                }
                term = term(store.joinAnew(term.runner().lease(), parts.time().now()));
            }
        } finally {
            changing.unlock();
        }
    }

    /** A builder that configures and starts an engine. */
    public static EngineBuilder builder() {
        return new EngineBuilder();
    }

    @Override
    public void offer(Work work) {
        slots.offer(work);
        parts.works().put(work.name(), work);
        slots.grant();
        term.runner().unoffered().offered(work.name());
    }

    @Override
    public Created create(Creation creation, String share) {
        return create(new Wanted(creation, share, Carried.NOTHING));
    }

    @Override
    public Created resume(Creation creation, String share, Task ended) {
        var carried = Replay.carried(
                parts.store(), ended, child -> term.runner().children().hasResult(ended, child));
        return create(new Wanted(creation, share, carried));
    }

    private Created create(Wanted wanted) {
        var under = term;
        try {
            return created(wanted, under);
        } catch (LostLeaseException e) {
            if (membership != null) {
                membership.joinAnew(under.runner().lease());
            }
            return create(wanted, term);
        }
    }

    /** Creates a task under the lease of a term; the store refuses the task where the node has lost that lease. */
    private Created create(Wanted wanted, LeaseTerm under) {
        try {
            return created(wanted, under);
        } catch (LostLeaseException e) {
            throw new StoreException("this server has lost its lease, and keeps no new task", e);
        }
    }

    private Created created(Wanted wanted, LeaseTerm under) throws LostLeaseException {
        var work = wanted.creation().work();
        if (!parts.works().containsKey(work)) {
            throw new IllegalArgumentException("no such work: '" + work + "'");
        }
        if (closed.get()) {
            throw new IllegalStateException("the engine is closed");
        }
        return under.creations().create(wanted);
    }

    @Override
    public Optional<Task> find(TaskId id) {
        return reader.find(id);
    }

    @Override
    public Optional<Task> find(Owner owner, String creationKey) {
        return reader.find(owner, creationKey);
    }

    @Override
    public ListedTasks list(TaskFilter filter, @Nullable TaskId before, int limit) {
        return reader.list(filter, before, limit);
    }

    @Override
    public List<Task> routed(Owner owner, Route route, @Nullable TaskId after, int limit) {
        return reader.routed(owner, route, after, limit);
    }

    private Optional<Task> known(Owner owner, TaskId id) {
        return reader.known(id).filter(task -> task.owner().equals(owner));
    }

    private Optional<Task> look(Owner owner, TaskId id) {
        return reader.look(id).filter(task -> task.owner().equals(owner));
    }

    @Override
    public Answered answer(Owner owner, TaskId id, Map<String, Payload> answers) {
        var answer = new Command.Answer(answers);
        return change(owner, id, answer, Answered.Done::new, Answered.Done::new, new Answered.NotFound());
    }

    @Override
    public Cancelled cancel(Owner owner, TaskId id, @Nullable String reason) {
        var live = term.tasks().get(id);
        var told = live == null || known(owner, id).isEmpty()
                ? reason
                : term.runner().cancelled(live, reason);
        return change(
                owner,
                id,
                new Command.Cancel(told),
                Cancelled.Done::new,
                Cancelled.AlreadyEnded::new,
                new Cancelled.NotFound());
    }

    @Override
    public boolean log(Owner owner, TaskId id, EventDetail.Logged line) {
        return change(owner, id, new Command.Record(line), done -> true, refused -> false, false);
    }

    @Override
    public Retained retain(Owner owner, TaskId id, Retention retention) {
        return change(
                owner,
                id,
                new Command.Retain(retention, isForParent(owner, id)),
                Retained.Done::new,
                refused -> {
                    throw new IllegalStateException("a retention is legal in every state");
                },
                new Retained.NotFound());
    }

    private boolean isForParent(Owner owner, TaskId id) {
        return known(owner, id).filter(term.runner().children()::isKept).isPresent();
    }

    private <T> T change(
            Owner owner, TaskId id, Command command, Function<Task, T> done, Function<Task, T> refused, T notFound) {
        var now = term;
        var live = writable(now, owner, id);
        if (live == null) {
            return notFound;
        }
        return switch (now.runner().ledger().change(live, command, null)) {
            case ChangeResult.Done changed -> done.apply(changed.task());
            case ChangeResult.Refused found -> refused.apply(found.task());
            case ChangeResult.Fenced fenced -> throw new StoreException("another server has taken task " + id);
            case ChangeResult.Missing missing -> notFound;
        };
    }

    @Override
    public Deleted delete(Owner owner, TaskId id) {
        var task = find(owner, id).orElse(null);
        if (task == null) {
            return new Deleted.NotFound();
        }
        var children = term.runner().children();
        if (!task.hasEndedWork() || children.isKept(task) || !children.delete(task)) {
            return new Deleted.StillLive(task);
        }
        if (!parts.store().remove(id)) {
            return new Deleted.NotFound();
        }
        Audit.deleted(task);
        return new Deleted.Done();
    }

    /** The copy of a task to write to: the live copy of this node, or else a new copy for this call. */
    private @Nullable LiveTask writable(LeaseTerm now, Owner owner, TaskId id) {
        LiveTask live = now.tasks().get(id);
        return known(owner, id)
                .map(task -> live == null ? now.runner().live(task) : live)
                .orElse(null);
    }

    @Override
    public List<TaskEvent> history(Owner owner, TaskId id, long after, int limit) {
        return known(owner, id).isPresent() ? parts.store().history(id, after, limit) : List.of();
    }

    @Override
    public Optional<Task> awaitChange(Owner owner, TaskId id, long version, Instant deadline)
            throws InterruptedException {
        var passed = new AtomicBoolean();
        while (true) {
            LiveTask live = term.tasks().get(id);
            var known = look(owner, id);
            boolean mayChange =
                    live != null || known.filter(this::mayChangeElsewhere).isPresent();
            if (!mayChange || known.isEmpty() || known.get().position().version() > version) {
                return known;
            }
            var waiter = waiter(live, id);
            var alarm = parts.time().at(deadline, () -> {
                passed.set(true);
                waiter.wake();
            });
            try {
                var now = look(owner, id);
                boolean over = closed.get()
                        || passed.get()
                        || !deadline.isAfter(parts.time().now());
                if (now.isEmpty() || over || now.get().position().version() > version) {
                    return now;
                }
                if (term.tasks().get(id) == live) {
                    waiter.await();
                }
            } finally {
                alarm.cancel();
                waiter.leave();
            }
        }
    }

    private Watchers.Waiter waiter(@Nullable LiveTask live, TaskId id) {
        return live == null
                ? Objects.requireNonNull(parts.others()).watched().register(id)
                : live.watchers().register();
    }

    /** Whether another node may change a task that is not live here. */
    private boolean mayChangeElsewhere(Task task) {
        return parts.others() != null && !task.hasEndedWork();
    }

    @Override
    public Optional<Watched> watch(Owner owner, TaskId id, TaskWatcher watcher) {
        var watchers = watchHere(id, watcher);
        Optional<Watched> watched = Optional.empty();
        try {
            var now = look(owner, id);
            if (watchers == null && now.filter(this::mayChangeElsewhere).isPresent()) {
                watchers = Objects.requireNonNull(parts.others()).watched().add(id, watcher);
                // Read again: a commit before this watcher was added may have been reported to other watchers only.
                now = look(owner, id);
            }
            var of = watchers;
            Runnable stop = of == null ? () -> {} : () -> of.remove(watcher);
            watched = now.map(task -> new Watched(task, stop));
            return watched;
        } finally {
            if (watched.isEmpty() && watchers != null) {
                watchers.remove(watcher);
            }
        }
    }

    /** Null where the task is not live here. */
    private @Nullable Watchers watchHere(TaskId id, TaskWatcher watcher) {
        var live = term.tasks().get(id);
        if (live == null) {
            return null;
        }
        live.watchers().add(watcher);
        if (term.tasks().get(id) == live) {
            return live.watchers();
        }
        live.watchers().remove(watcher);
        return null;
    }

    @Override
    public RowStore rows() {
        return parts.store().rows();
    }

    @Override
    public TaskTime time() {
        return parts.time();
    }

    @Override
    public Instant startedAt() {
        return startedAt;
    }

    @Override
    public TaskStatistics statistics() {
        return LiveStatistics.of(term.tasks(), slots);
    }

    @Override
    public TaskLimits limits() {
        return parts.limits();
    }

    @Override
    public void limits(TaskLimits limits) {
        parts.present().set(limits);
        slots.running(limits.running());
        term.tasks().livePerOwner(limits.livePerOwner());
        slots.grant();
    }

    @Override
    public Standing standing() {
        return membership == null ? Standing.HELD : membership.standing();
    }

    @Override
    public void beginClose() {
        changing.lock();
        try {
            term.runner().beginClosing();
        } finally {
            changing.unlock();
        }
    }

    @Override
    public void close(Duration grace) {
        if (closed.compareAndSet(false, true)) {
            sweeper.close();
            stop(grace);
            afterClose.run();
        }
    }

    private void stop(Duration grace) {
        if (membership != null) {
            membership.close();
        }
        changing.lock();
        try {
            new Shutdown(parts, term.tasks(), term.runner()).run(grace);
        } finally {
            changing.unlock();
        }
    }
}
