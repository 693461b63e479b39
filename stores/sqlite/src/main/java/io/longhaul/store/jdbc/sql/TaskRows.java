// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskPosition;
import io.longhaul.store.jdbc.codec.EventCodec;
import io.longhaul.store.jdbc.codec.ImpliedEvents;
import io.longhaul.store.jdbc.codec.PartSource;
import io.longhaul.store.jdbc.codec.RowSeal;
import io.longhaul.store.jdbc.codec.TaskCodec;
import io.longhaul.store.jdbc.codec.Times;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Reads tasks and their histories. Thread-safe. */
public final class TaskRows {
    /** The columns that {@link #row} reads. */
    public static final String COLUMNS =
            "id, owner, creation_key, lease_node, lease_epoch, version, last_event, updated_at, spec, body, route";

    private static final String FROM_TASK = "SELECT " + COLUMNS + " FROM %stask WHERE ";
    private static final String FIND = FROM_TASK + "id = ?";
    private static final String FIND_BY_KEY = FROM_TASK + "owner = ? AND creation_key = ?";
    private static final String GROUP = FROM_TASK + "owner = ? AND route_group = ? AND id > ?";
    private static final String OF_GROUP = GROUP + " ORDER BY id LIMIT ?";
    private static final String OF_ROUTE = GROUP + " AND route_member = ? ORDER BY id LIMIT ?";
    private static final String VERSION = "SELECT version FROM %stask WHERE id = ?";
    private static final String HISTORY =
            "SELECT seq, body FROM event WHERE task_id = ? AND seq > ? ORDER BY seq LIMIT ?";
    private static final String PART = "SELECT body FROM part WHERE task_id = ? AND name = ?";

    /** One encoded row. Decoding follows after the cursor is closed, because it may have to read other rows. */
    public record Row(
            String id,
            Owner owner,
            @Nullable String creationKey,
            @Nullable Lease lease,
            TaskPosition position,
            Blobs blobs) {}

    public record Blobs(byte[] spec, byte[] body, @Nullable Route route) {}

    private record EventRow(long seq, byte[] body) {}

    private final RowSeal seal;
    private final String find;
    private final String findByKey;
    private final String ofGroup;
    private final String ofRoute;
    private final String version;

    /** Signals that a row does not hold all of its task. */
    private static final class Divided extends RuntimeException {
        private static final long serialVersionUID = 1;

        Divided() {
            super("the task has parts", null, false, false);
        }
    }

    public TaskRows(RowSeal seal) {
        this(seal, null);
    }

    /** @param schema the schema of the tables, where a statement without a transaction has to name it */
    public TaskRows(RowSeal seal, @Nullable String schema) {
        this.seal = seal;
        find = FIND.formatted(prefix(schema));
        findByKey = FIND_BY_KEY.formatted(prefix(schema));
        ofGroup = OF_GROUP.formatted(prefix(schema));
        ofRoute = OF_ROUTE.formatted(prefix(schema));
        version = VERSION.formatted(prefix(schema));
    }

    /** What stands before the name of a table of a schema. */
    static String prefix(@Nullable String schema) {
        return schema == null ? "" : '"' + schema + "\".";
    }

    public RowSeal seal() {
        return seal;
    }

    public Optional<Task> find(SqlSession session, TaskId id) throws SQLException {
        return session.queryOne(TaskRows::row, find, id.value()).map(row -> decode(session, row));
    }

    public Optional<Task> find(ReadPool readers, TaskId id) {
        return whole(readers, session -> session.query(TaskRows::row, find, id.value())).stream()
                .findFirst();
    }

    public Optional<Task> findByKey(ReadPool readers, Owner owner, String key) {
        return whole(readers, session -> session.query(TaskRows::row, findByKey, owner.value(), key)).stream()
                .findFirst();
    }

    public List<Task> routed(ReadPool readers, Owner owner, Route route, @Nullable TaskId after, int limit) {
        var start = after == null ? "" : after.value();
        var most = Math.max(0, limit);
        return whole(
                readers,
                session -> route.member() == null
                        ? session.query(TaskRows::row, ofGroup, owner.value(), route.group(), start, most)
                        : session.query(
                                TaskRows::row, ofRoute, owner.value(), route.group(), start, route.member(), most));
    }

    /** The version of a task, which costs less than the task. */
    public OptionalLong version(ReadPool readers, TaskId id) {
        return readers.single(session -> session.queryOne(row -> OptionalLong.of(row.getLong(1)), version, id.value()))
                .orElse(OptionalLong.empty());
    }

    /** Reads tasks by one statement. Where a task has parts, reads all again in one transaction. */
    private List<Task> whole(ReadPool readers, ReadPool.Read<List<Row>> statement) {
        return readers.single(session -> undivided(statement.run(session)))
                .orElseGet(() -> readers.read(session -> decodeAll(session, statement.run(session))));
    }

    /** The tasks of rows that hold all of them, else empty. */
    private Optional<List<Task>> undivided(List<Row> rows) {
        try {
            return Optional.of(
                    rows.stream().map(row -> decode(row, TaskRows::divided)).toList());
        } catch (Divided e) {
            return Optional.empty();
        }
    }

    private static byte[] divided(String part) {
        throw new Divided();
    }

    /** Events up to the last event of {@code task}, which was read before. */
    public List<TaskEvent> history(SqlSession session, Task task, long after, int limit) throws SQLException {
        var parts = parts(session, task.id().value());
        var bytes = new AtomicLong();
        var rows = session.queryWhile(
                row -> bytes.addAndGet(row.body().length) < TaskStore.PAGE_BYTES,
                row -> new EventRow(row.getLong(1), row.getBytes(2)),
                HISTORY,
                task.id().value(),
                after,
                Math.max(0, limit));
        boolean isCut = rows.size() >= limit || bytes.get() >= TaskStore.PAGE_BYTES;
        var events = new ArrayList<TaskEvent>();
        long next = after + 1;
        for (var row : rows) {
            imply(task, next, row.seq() - 1, events);
            events.add(EventCodec.read(
                    row.seq(), seal.open(row.body(), event(task.id().value(), row.seq())), parts));
            next = row.seq() + 1;
        }
        if (!isCut) {
            imply(task, next, task.position().lastEvent(), events);
        }
        return events.stream()
                .filter(event -> event.seq() <= task.position().lastEvent())
                .limit(Math.max(0, limit))
                .toList();
    }

    private static void imply(Task task, long from, long to, List<TaskEvent> events) {
        for (long seq = from; seq <= to; seq++) {
            var event = ImpliedEvents.of(task, seq);
            if (event != null) {
                events.add(event);
            }
        }
    }

    /** The row under the cursor, which must have {@link #COLUMNS}. */
    public static Row row(ResultSet row) throws SQLException {
        var node = row.getString(4);
        return new Row(
                row.getString(1),
                new Owner(row.getString(2)),
                row.getString(3),
                node == null ? null : new Lease(node, row.getLong(5)),
                new TaskPosition(row.getLong(6), row.getLong(7), Times.fromColumn(row.getLong(8))),
                new Blobs(row.getBytes(9), row.getBytes(10), route(row.getString(11))));
    }

    /** Parses the text of {@link Route#text()}. */
    private static @Nullable Route route(@Nullable String column) {
        if (column == null) {
            return null;
        }
        int slash = column.indexOf('/');
        return new Route(column.substring(0, slash), column.substring(slash + 1));
    }

    public List<Task> decodeAll(SqlSession session, List<Row> rows) {
        return rows.stream().map(row -> decode(session, row)).toList();
    }

    /**
     * Decodes the rows that can be read.
     *
     * @param unreadable takes the ids of the other rows, and why each of them cannot be read
     */
    public List<Task> decodeReadable(SqlSession session, List<Row> rows, Map<String, StoreException> unreadable) {
        var tasks = new ArrayList<Task>();
        for (var row : rows) {
            try {
                tasks.add(decode(session, row));
            } catch (StoreException e) {
                if (e.getCause() instanceof SQLException) {
                    throw e;
                }
                unreadable.put(row.id(), e);
            }
        }
        return tasks;
    }

    private Task decode(SqlSession session, Row row) {
        return decode(row, parts(session, row.id()));
    }

    private Task decode(Row row, PartSource parts) {
        var columns = new TaskCodec.Columns(
                row.owner(), row.creationKey(), row.blobs().route());
        var spec = TaskCodec.readSpec(seal.open(row.blobs().spec(), spec(row.id())), columns, parts);
        var body = TaskCodec.readBody(seal.open(row.blobs().body(), body(row.id())), row.position(), parts);
        return new Task(new TaskId(row.id()), spec, body.status(), body.execution(row.lease()), body.position());
    }

    /** Reads only the name of the work from the specification of a task. */
    public String work(String id, byte[] spec) {
        return TaskCodec.workOf(seal.open(spec, spec(id)));
    }

    private PartSource parts(SqlSession session, String id) {
        return name -> {
            try {
                return session.queryOne(row -> row.getBytes(1), PART, id, name)
                        .map(stored -> seal.open(stored, part(id, name)))
                        .orElseThrow(() -> new StoreException("a stored task is damaged: its " + name + " is missing"));
            } catch (SQLException e) {
                throw new StoreException("the " + name + " of a task cannot be read: " + e.getMessage(), e);
            }
        };
    }

    /** The place of the part of a task that never changes. */
    static String spec(String id) {
        return "spec " + id;
    }

    /** The place of the part of a task that changes. */
    static String body(String id) {
        return "body " + id;
    }

    static String event(String id, long seq) {
        return "event " + id + ' ' + seq;
    }

    static String part(String id, String name) {
        return "part " + id + ' ' + name;
    }
}
