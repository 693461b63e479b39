// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.toolsasync;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Retained;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.Guard;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.ext.toolsasync.LiveMembership.Memberships;
import io.longhaul.receiver.session.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores which sessions have joined which tasks. A task is kept while any session has joined it, and then for its
 * retention after the last session has left. A session leaves when it ends, when it is idle for too long, when its
 * connection is closed, or when the process that held the connection ends; the next process finds that out.
 * Thread-safe.
 *
 * <p>There are two rows for each member: one by its task, the other by its session. The row by session is written first
 * and removed last, so that every membership can be found and ended.
 */
final class TaskMembers {

    /** The most sessions that can join one task. */
    static final int SESSIONS = 100;

    private static final Logger LOG = LoggerFactory.getLogger(TaskMembers.class);
    private static final String MEMBERS = "task-member";
    private static final String SESSION_TASKS = "joining-session";
    private static final int LOCKS = 64;

    sealed interface Joining {

        /** The session has joined; the task is kept for {@code keep} after the last session has left. */
        record Joined(Duration keep) implements Joining {}

        record TaskGone() implements Joining {}

        record TooMany() implements Joining {}
    }

    private final TaskEngine engine;
    private final List<Guard> locks = Stream.generate(Guard::new).limit(LOCKS).toList();

    TaskMembers(TaskEngine engine) {
        this.engine = engine;
    }

    /**
     * Has a session join a task. No session shortens the time that was promised to another session.
     *
     * @param wanted the time for which the task is kept, or null where the session leaves the time to others
     */
    Joining join(Session session, Task task, Member me, @Nullable Duration wanted) {
        return lock(task.id()).get(() -> {
            var known = engine.find(task.owner(), task.id());
            var before = member(task.id(), session.id());
            if (known.isEmpty()) {
                return new Joining.TaskGone();
            }
            if (before.isEmpty() && members(task.id()).limit(SESSIONS).count() == SESSIONS) {
                return new Joining.TooMany();
            }
            var now = before.map(earlier -> earlier.again(me)).orElse(me);
            var keep = longest(wanted, known.get().status().retention());
            var owner = Payload.ofText(task.owner().value());
            rows().put(new StoredRow(SESSION_TASKS, sessionKey(session.id(), task.id()), owner, null));
            rows().put(new StoredRow(MEMBERS, memberKey(task.id(), session.id()), now.toPayload(), null));
            if (engine.retain(task.owner(), task.id(), Retention.fromLeaving(keep)) instanceof Retained.NotFound) {
                rows().remove(MEMBERS, memberKey(task.id(), session.id()));
                rows().remove(SESSION_TASKS, sessionKey(session.id(), task.id()));
                return new Joining.TaskGone();
            }
            Memberships.of(session).joined(task.id(), now);
            return new Joining.Joined(keep);
        });
    }

    /** Sends progress as the session's request to join asked, now that the request is answered. */
    void answered(Session session, Task task, Member me) {
        Memberships.of(session).answered(task.id(), me);
    }

    /** The longer of the wanted time and the promised time. A member without a wish keeps the promised time. */
    private Duration longest(@Nullable Duration wanted, Retention before) {
        boolean isJoined = before.basis() == Retention.Basis.LEAVING;
        Duration told = before.basis() == Retention.Basis.CREATION ? before.afterEnd() : before.duration();
        Duration more = wanted != null || isJoined ? wanted : engine.limits().defaultRetention();
        return more == null || more.compareTo(told) < 0 ? told : more;
    }

    /** The membership of a session in a task, or null where the session has not joined the task. */
    @Nullable
    LiveMembership of(Session session, Task task) {
        if (task.status().retention().basis() != Retention.Basis.LEAVING) {
            return null;
        }
        var all = Memberships.of(session);
        var known = all.get(task.id());
        if (known != null && !rows().isShared()) {
            return known;
        }
        return member(task.id(), session.id())
                .map(me -> all.stored(task.id(), me))
                .orElse(null);
    }

    List<TaskId> tasks(Session session) {
        return rowsOf(session.id()).map(TaskMembers::task).toList();
    }

    /** Ends the memberships of a session. Where this cannot be stored now, a later sweep does so. */
    void sessionEnded(String session) {
        try {
            rowsOf(session)
                    .forEach(row ->
                            leave(session, task(row), new Owner(row.value().text())));
        } catch (StoreException e) {
            LOG.warn("session {} leaves its tasks later: {}", session, e.getMessage());
        }
    }

    /** The ids of all sessions that have joined tasks. */
    Stream<String> sessions() {
        return Context.rows(engine, SESSION_TASKS, "")
                .map(row -> row.key().substring(0, row.key().indexOf('/')))
                .distinct();
    }

    private void leave(String session, TaskId id, Owner owner) {
        lock(id).run(() -> {
            rows().remove(MEMBERS, memberKey(id, session));
            if (members(id).findFirst().isEmpty()) {
                engine.find(owner, id).ifPresent(this::keepFromNow);
            }
            rows().remove(SESSION_TASKS, sessionKey(session, id));
        });
    }

    private void keepFromNow(Task task) {
        var retention = task.status().retention();
        if (retention.basis() == Retention.Basis.LEAVING) {
            Duration age = Duration.between(task.spec().createdAt(), now());
            var left = Retention.fromCreation(age.plus(retention.duration())).atLeast(retention.duration());
            engine.retain(task.owner(), task.id(), left);
            if (members(task.id()).findFirst().isPresent()) {
                // A session has joined at another node meanwhile, where it may have set this retention already.
                engine.retain(task.owner(), task.id(), retention);
            }
        }
    }

    private Optional<Member> member(TaskId task, String session) {
        return rows().get(MEMBERS, memberKey(task, session), now()).map(row -> Member.of(row.value()));
    }

    private Stream<StoredRow> members(TaskId task) {
        return Context.rows(engine, MEMBERS, memberKey(task, ""));
    }

    private Stream<StoredRow> rowsOf(String session) {
        return Context.rows(engine, SESSION_TASKS, session + "/");
    }

    private static String memberKey(TaskId task, String session) {
        return task + "/" + session;
    }

    private static String sessionKey(String session, TaskId task) {
        return session + "/" + task;
    }

    private static TaskId task(StoredRow row) {
        return new TaskId(row.key().substring(row.key().indexOf('/') + 1));
    }

    private Guard lock(TaskId task) {
        return locks.get(Math.floorMod(task.hashCode(), LOCKS));
    }

    private RowStore rows() {
        return engine.rows();
    }

    private Instant now() {
        return engine.time().now();
    }
}
