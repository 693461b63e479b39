package io.longhaul.receiver.ext.toolsasync;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Retained;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.store.HandleStore;
import io.longhaul.engine.store.HandleStore.Handle;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.Guard;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.ext.toolsasync.LiveMembership.Memberships;
import io.longhaul.receiver.session.JoinedTasks;
import io.longhaul.receiver.session.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which sessions have joined which tasks, kept in the store: a task is kept while a session has joined it, and for its
 * time from when the last session has left. A session leaves when it ends, when it is idle for too long, when its
 * connection is closed, or with the process that held the connection; the next process finds that out. Thread-safe.
 *
 * <p>There is one row for each task with all its members, and one for each session and task. The second is written
 * first and removed last, so that no session stays a member for ever.
 *
 * @param locks of one receiver: see {@link #newLocks}
 */
record TaskMembers(TaskEngine engine, List<Guard> locks) implements JoinedTasks {

    /** How many sessions join one task. */
    static final int SESSIONS = 100;

    private static final Logger LOG = LoggerFactory.getLogger(TaskMembers.class);
    private static final String TASKS = "joined-task";
    private static final String SESSION_TASKS = "joining-session";
    private static final Payload NOTHING = Payload.of(new byte[0]);
    private static final int PAGE = 1_000;
    private static final int LOCKS = 64;

    sealed interface Joining {

        /** The session has joined; the task is kept for {@code keep} after the last session has left. */
        record Joined(Duration keep) implements Joining {}

        record TaskGone() implements Joining {}

        record TooMany() implements Joining {}
    }

    static List<Guard> newLocks() {
        return Stream.generate(Guard::new).limit(LOCKS).toList();
    }

    /** How long a task is kept: what its caller wants, else what its tool says, else as long as any task. */
    Duration keep(@Nullable Duration wanted, @Nullable Duration own) {
        TaskLimits limits = engine.limits();
        return wanted != null ? limits.held(wanted) : own != null ? own : limits.defaultRetention();
    }

    /**
     * Has a session join a task. No session shortens the time that another one was told.
     *
     * @param keep for how long, or null where the session leaves that to others
     */
    Joining join(Session session, Task task, Member me, @Nullable Duration keep) {
        return lock(task.id()).get(() -> {
            Duration first = keep == null ? keep(null, null) : keep;
            var before = list(task.id()).orElseGet(() -> new MemberList(task.owner(), first, List.of()));
            if (before.of(me.session()).isEmpty() && before.members().size() >= SESSIONS) {
                return new Joining.TooMany();
            }
            Duration longer = keep == null || keep.compareTo(before.keep()) < 0 ? before.keep() : keep;
            var now = before.keeping(longer).with(me);
            rows().put(new Handle(SESSION_TASKS, me.session() + "/" + task.id(), NOTHING, null));
            rows().put(new Handle(TASKS, task.id().value(), now.toPayload(), null));
            var retained = engine.retain(task.owner(), task.id(), Retention.fromLeaving(longer));
            if (retained instanceof Retained.NotFound) {
                rows().remove(TASKS, task.id().value());
                rows().remove(SESSION_TASKS, me.session() + "/" + task.id());
                return new Joining.TaskGone();
            }
            Memberships.of(session).put(task.id(), now.of(me.session()).orElseThrow());
            return new Joining.Joined(longer);
        });
    }

    @Override
    public @Nullable LiveMembership of(Session session, Task task) {
        if (task.status().retention().basis() != Retention.Basis.LEAVING) {
            return null;
        }
        var all = Memberships.of(session);
        var known = all.get(task.id());
        if (known != null) {
            return known;
        }
        return list(task.id())
                .flatMap(list -> list.of(session.id()))
                .map(me -> all.put(task.id(), me))
                .orElse(null);
    }

    @Override
    public List<TaskId> tasks(String session) {
        String prefix = session + "/";
        return rows(prefix)
                .map(Handle::key)
                .takeWhile(key -> key.startsWith(prefix))
                .map(key -> new TaskId(key.substring(prefix.length())))
                .toList();
    }

    /** A session that cannot be stored as gone now is found later. */
    @Override
    public void sessionEnded(String session) {
        try {
            tasks(session).forEach(task -> leave(session, task));
        } catch (StoreException e) {
            LOG.warn("session {} leaves its tasks later: {}", session, e.getMessage());
        }
    }

    @Override
    public void sweep(Predicate<String> isOpen) {
        rows(null)
                .map(row -> row.key().substring(0, row.key().indexOf('/')))
                .distinct()
                .filter(isOpen.negate())
                .forEach(this::sessionEnded);
    }

    private void leave(String session, TaskId task) {
        lock(task).run(() -> {
            var before = list(task);
            if (before.isPresent()) {
                var rest = before.get().without(session);
                boolean last = rest.members().isEmpty();
                Instant forgotten = last ? now().plus(engine.limits().longestRetention()) : null;
                rows().put(new Handle(TASKS, task.value(), rest.toPayload(), forgotten));
                if (last) {
                    keepFromNow(rest, task);
                }
            }
            rows().remove(SESSION_TASKS, session + "/" + task);
        });
    }

    private void keepFromNow(MemberList list, TaskId id) {
        engine.find(list.owner(), id).ifPresent(task -> {
            Duration age = Duration.between(task.spec().createdAt(), now());
            var left = Retention.fromCreation(age.plus(list.keep())).atLeast(list.keep());
            engine.retain(list.owner(), id, left);
        });
    }

    private Optional<MemberList> list(TaskId task) {
        return rows().get(TASKS, task.value(), now()).map(row -> MemberList.of(row.value()));
    }

    /** The rows of sessions and their tasks, behind a key. */
    private Stream<Handle> rows(@Nullable String after) {
        return Context.paged(last -> rows().list(SESSION_TASKS, last == null ? after : last.key(), PAGE, now()));
    }

    private Guard lock(TaskId task) {
        return locks.get(Math.floorMod(task.hashCode(), LOCKS));
    }

    private HandleStore rows() {
        return engine.handles();
    }

    private Instant now() {
        return engine.time().now();
    }
}
