// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fakes;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.Allotment;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.ListedTasks;
import io.longhaul.engine.store.MemoryRowStore;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.SharedTasks;
import io.longhaul.engine.store.SharedTasks.Wanted;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.store.WrittenOutput;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Execution;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tasks in memory, for tests: keeps every rule of {@link TaskStore}, except that tasks do not survive the process.
 * {@link #reopen()} stands for a restart. Several engines may use one {@link #shared(TaskTime)} store. Thread-safe.
 */
public final class MemoryTaskStore implements TaskStore {
    private record KeyOfOwner(Owner owner, String key) {}

    private final TreeMap<TaskId, Task> tasks = new TreeMap<>();
    private final Map<TaskId, List<TaskEvent>> events = new HashMap<>();
    private final Map<KeyOfOwner, TaskId> keys = new HashMap<>();
    private final MemoryRowStore rows;
    private final MemoryLeases leases;
    private final MemorySlots slots;
    /** Live tasks that were last written without a fence. */
    private final Set<TaskId> unfenced = new TreeSet<>();

    private volatile boolean closed;

    /** An empty store of one server. */
    public MemoryTaskStore() {
        this(false, null);
    }

    private MemoryTaskStore(boolean isShared, @Nullable TaskTime clock) {
        leases = new MemoryLeases(clock);
        slots = new MemorySlots();
        rows = new MemoryRowStore(this::checkOpen, isShared);
    }

    /** An empty store whose rows several servers share. */
    public static MemoryTaskStore shared() {
        return new MemoryTaskStore(true, null);
    }

    /**
     * An empty store whose rows and tasks several servers share, with leases that hold for 15 seconds by {@code clock}.
     */
    public static MemoryTaskStore shared(TaskTime clock) {
        return new MemoryTaskStore(true, clock);
    }

    private MemoryTaskStore(MemoryTaskStore from) {
        tasks.putAll(from.tasks);
        from.events.forEach((id, line) -> events.put(id, new ArrayList<>(line)));
        keys.putAll(from.keys);
        rows = from.rows.copy(this::checkOpen);
        leases = new MemoryLeases(from.leases);
        slots = new MemorySlots(from.slots);
        unfenced.addAll(from.unfenced);
    }

    /**
     * Closes this store and returns a new one with everything that was committed, as a restarted process would find it.
     */
    public synchronized MemoryTaskStore reopen() {
        closed = true;
        return new MemoryTaskStore(this);
    }

    @Override
    public synchronized Lease join(String node, Instant now) {
        checkOpen();
        return leases.join(node);
    }

    /** Whether a lease holds at this moment. */
    public synchronized boolean holds(Lease lease) {
        return leases.holds(lease);
    }

    @Override
    public synchronized void leave(Lease lease, Instant now) {
        checkOpen();
        leases.leave(lease);
    }

    @Override
    public synchronized List<Task> claim(Lease lease, int limit, Instant now) {
        return claim(lease, (Wanted) null, limit, now);
    }

    private synchronized List<Task> claim(Lease lease, @Nullable Wanted wanted, int limit, Instant now) {
        checkOpen();
        if (!leases.keep(lease)) {
            return List.of();
        }
        leases.endLapsed(lease);
        var free = tasks.values().stream()
                .filter(task -> !task.hasEndedWork()
                        && leases.isFree(task.execution().lease(), lease.node(), patience(task, wanted)))
                .toList();
        var claimed = (wanted == null ? free : inTurn(free, wanted.works()))
                .stream()
                        .limit(Math.max(0, limit))
                        .map(task -> takenOver(task, lease, now))
                        .toList();
        claimed.forEach(task -> {
            tasks.put(task.id(), task);
            unfenced.remove(task.id());
        });
        return claimed;
    }

    /** For how long the task stays reserved for a node without a lease. */
    private static Duration patience(Task task, @Nullable Wanted wanted) {
        boolean isBound = wanted != null
                && wanted.bound().contains(task.spec().work())
                && task.execution().attempts().started() > 0;
        return isBound ? wanted.lostAfter() : Duration.ZERO;
    }

    /** The first task of each owner and work, then the second of each, and so on. */
    private static List<Task> inTurn(List<Task> oldestFirst, Set<String> works) {
        record Kind(Owner owner, String work) {}
        var counts = new HashMap<Kind, Integer>();
        var turns = new HashMap<TaskId, Integer>();
        for (Task task : oldestFirst) {
            turns.put(task.id(), counts.merge(new Kind(task.owner(), task.spec().work()), 1, Integer::sum));
        }
        return oldestFirst.stream()
                .filter(task -> works.contains(task.spec().work()))
                .sorted(Comparator.comparing(task -> turns.get(task.id())))
                .toList();
    }

    @Override
    public Optional<SharedTasks> sharedTasks() {
        return leases.isShared() ? Optional.of(new Shared()) : Optional.empty();
    }

    private final class Shared implements SharedTasks {

        @Override
        public Renewal renew(Lease lease) {
            synchronized (MemoryTaskStore.this) {
                checkOpen();
                return new Renewal(leases.renew(lease), leases.count());
            }
        }

        @Override
        public News news(Lease lease, int nodes, Wanted wanted) {
            synchronized (MemoryTaskStore.this) {
                checkOpen();
                boolean isAny = leases.count() != nodes
                        || tasks.values().stream().anyMatch(task -> isNews(lease, wanted, task));
                return isAny ? News.ANY : leases.news(lease);
            }
        }

        private boolean isNews(Lease lease, Wanted wanted, Task task) {
            var holder = task.execution().lease();
            boolean isFree = wanted.works().contains(task.spec().work())
                    && leases.isFree(holder, lease.node(), patience(task, wanted));
            return !task.hasEndedWork() && (isFree || lease.equals(holder) && unfenced.contains(task.id()));
        }

        @Override
        public Lease joinAnew(Lease lost, Instant now) {
            synchronized (MemoryTaskStore.this) {
                checkOpen();
                return leases.joinAnew(lost.node());
            }
        }

        @Override
        public List<Task> claim(Lease lease, Wanted wanted, int limit, Instant now) {
            return MemoryTaskStore.this.claim(lease, wanted, limit, now);
        }

        @Override
        public Set<TaskId> held(Lease lease) {
            synchronized (MemoryTaskStore.this) {
                checkOpen();
                return tasks.values().stream()
                        .filter(task -> lease.equals(task.execution().lease()) && !task.hasEndedWork())
                        .map(Task::id)
                        .collect(Collectors.toCollection(TreeSet::new));
            }
        }

        @Override
        public boolean drain(String node, boolean isDraining) {
            synchronized (MemoryTaskStore.this) {
                checkOpen();
                return leases.drain(node, isDraining);
            }
        }

        @Override
        public Map<TaskId, Long> versions(Lease lease, Set<TaskId> ids) {
            synchronized (MemoryTaskStore.this) {
                checkOpen();
                var versions = new TreeMap<TaskId, Long>();
                for (Task task : tasks.values()) {
                    boolean isOwn = lease.equals(task.execution().lease()) && unfenced.contains(task.id());
                    if (isOwn || ids.contains(task.id())) {
                        versions.put(task.id(), task.position().version());
                    }
                }
                return versions;
            }
        }

        @Override
        public OptionalLong version(TaskId id) {
            synchronized (MemoryTaskStore.this) {
                checkOpen();
                var task = tasks.get(id);
                return task == null
                        ? OptionalLong.empty()
                        : OptionalLong.of(task.position().version());
            }
        }

        @Override
        public Map<Owner, List<Allotment.Claim>> live(Set<Owner> owners) {
            synchronized (MemoryTaskStore.this) {
                checkOpen();
                var live = new HashMap<Owner, Map<String, List<Task>>>();
                tasks.values().stream()
                        .filter(task -> task.ending() == null && owners.contains(task.owner()))
                        .forEach(task -> live.computeIfAbsent(task.owner(), owner -> new TreeMap<>())
                                .computeIfAbsent(nodeOf(task), node -> new ArrayList<>())
                                .add(task));
                var claims = new HashMap<Owner, List<Allotment.Claim>>();
                live.forEach((owner, nodes) -> claims.put(
                        owner,
                        nodes.entrySet().stream()
                                .map(of -> claim(of.getKey(), of.getValue()))
                                .toList()));
                return claims;
            }
        }

        private String nodeOf(Task task) {
            var lease = task.execution().lease();
            return lease == null || leases.isVoid(lease) ? "" : lease.node();
        }

        private static Allotment.Claim claim(String node, List<Task> oldestFirst) {
            int count = oldestFirst.size();
            return new Allotment.Claim(
                    node, count, count, oldestFirst.getFirst().id());
        }

        @Override
        public Optional<Map<String, Allotment>> allot(Lease lease, List<Allotment.Want> wants) {
            synchronized (MemoryTaskStore.this) {
                checkOpen();
                return leases.isVoid(lease) ? Optional.empty() : Optional.of(slots.allot(lease, wants, leases::isVoid));
            }
        }
    }

    @Override
    public synchronized CommitResult commit(Change change) {
        checkOpen();
        return change.before() == null ? create(change) : replace(change, change.before());
    }

    private CommitResult create(Change change) {
        var task = change.after();
        var key = keyOf(task);
        if (key != null && keys.containsKey(key)) {
            return new CommitResult.KeyTaken(keys.get(key));
        }
        if (!mayWrite(change, null)) {
            return new CommitResult.Fenced();
        }
        if (tasks.containsKey(task.id())) {
            return new CommitResult.Stale();
        }
        if (key != null) {
            keys.put(key, task.id());
        }
        events.put(task.id(), new ArrayList<>());
        return write(change);
    }

    private CommitResult replace(Change change, Task before) {
        var stored = tasks.get(before.id());
        if (stored == null) {
            return new CommitResult.Missing();
        }
        if (!mayWrite(change, before.execution().lease())) {
            return new CommitResult.Fenced();
        }
        if (stored.position().version() != before.position().version()) {
            return new CommitResult.Stale();
        }
        return write(change);
    }

    private CommitResult write(Change change) {
        var task = change.after();
        tasks.put(task.id(), task);
        if (change.fence() == null && !task.hasEndedWork()) {
            unfenced.add(task.id());
        } else {
            unfenced.remove(task.id());
        }
        events.get(change.after().id()).addAll(change.events());
        return new CommitResult.Committed();
    }

    private boolean mayWrite(Change change, @Nullable Lease before) {
        var fence = change.fence();
        if (fence == null) {
            return true;
        }
        var takesFreeTask =
                leases.isVoid(before) && fence.equals(change.after().execution().lease());
        return leases.keep(fence) && (fence.equals(before) || takesFreeTask);
    }

    private static Task takenOver(Task task, Lease lease, Instant now) {
        var execution = new Execution(
                lease, task.execution().attempts(), task.execution().handle());
        var position = TaskEvent.positionAfter(task.position(), List.of(), now);
        return new Task(task.id(), task.spec(), task.status(), execution, position);
    }

    private static @Nullable KeyOfOwner keyOf(Task task) {
        CreationKey key = task.spec().creationKey();
        return key == null ? null : new KeyOfOwner(task.owner(), key.value());
    }

    @Override
    public synchronized Optional<Task> find(TaskId id) {
        checkOpen();
        return Optional.ofNullable(tasks.get(id));
    }

    @Override
    public synchronized Optional<Task> findByKey(Owner owner, String keyValue) {
        checkOpen();
        return Optional.ofNullable(keys.get(new KeyOfOwner(owner, keyValue))).map(tasks::get);
    }

    @Override
    public synchronized ListedTasks list(TaskFilter filter, @Nullable TaskId before, int limit) {
        checkOpen();
        if (limit <= 0) {
            return ListedTasks.NONE;
        }
        var older = before == null ? tasks : tasks.headMap(before, false);
        var found = older.descendingMap().values().stream().filter(filter::matches);
        return ListedTasks.first(found.limit(limit + 1L).toList(), limit);
    }

    @Override
    public synchronized List<Task> routed(Owner owner, Route route, @Nullable TaskId after, int limit) {
        checkOpen();
        return tasks.values().stream()
                .filter(task -> task.owner().equals(owner)
                        && route.finds(task.spec().source().route())
                        && (after == null || task.id().compareTo(after) > 0))
                .sorted(Comparator.comparing(Task::id))
                .limit(Math.max(0, limit))
                .toList();
    }

    @Override
    public synchronized List<TaskEvent> history(TaskId id, long after, int limit) {
        checkOpen();
        List<TaskEvent> page = new ArrayList<>();
        int bytes = 0;
        for (TaskEvent event : events.getOrDefault(id, List.of())) {
            if (event.seq() > after && page.size() < limit && bytes < PAGE_BYTES) {
                page.add(event);
                bytes += event.what().bytes();
            }
        }
        return List.copyOf(page);
    }

    @Override
    public synchronized boolean remove(TaskId id) {
        checkOpen();
        var task = tasks.get(id);
        if (task == null || !task.hasEndedWork()) {
            return false;
        }
        remove(task);
        return true;
    }

    @Override
    public synchronized int sweep(Instant now, int limit) {
        checkOpen();
        var over = tasks.values().stream()
                .filter(task -> task.hasEndedWork() && isOver(task, now))
                .limit(Math.max(0, limit))
                .toList();
        over.forEach(this::remove);
        return over.size();
    }

    private static boolean isOver(Task task, Instant now) {
        var expiry = task.expiry();
        return expiry != null && !expiry.isAfter(now);
    }

    private void remove(Task task) {
        tasks.remove(task.id());
        events.remove(task.id());
        keys.remove(keyOf(task));
        unfenced.remove(task.id());
        rows.removeAll(WrittenOutput.space(task.id()));
    }

    @Override
    public RowStore rows() {
        return rows;
    }

    /** Later calls fail; {@link #reopen()} still gives the tasks. */
    @Override
    public synchronized void close() {
        closed = true;
    }

    private void checkOpen() {
        if (closed) {
            throw new StoreException("the store is closed");
        }
    }
}
