// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.longhaul.engine.store.NodeRole;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.TaskId;
import io.longhaul.store.jdbc.codec.Times;
import io.longhaul.store.jdbc.sql.ReadPool.Read;
import io.longhaul.store.jdbc.sql.SqlSession;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that share a database, for operators: lists the tasks of each node, and drains nodes. Needs no data keys,
 * and does not change the schema. Each method throws {@link StoreException} where the database cannot be reached, or no
 * server of this version of Longhaul has kept tasks there. Thread-safe.
 */
public final class PostgresNodes implements AutoCloseable {

    /** The state of a node. */
    public enum State {
        /** The lease of the node holds. */
        UP,
        /** The lease holds, but the node begins no tasks, and gives away tasks that have not begun. */
        DRAINING,
        /** The node has not renewed its lease in time, and may still return to its tasks. */
        SILENT,
        /** The node has left, or its lease was made void: other nodes take its tasks over. */
        GONE
    }

    /**
     * One node.
     *
     * @param role     which tasks the node runs, as its server was told
     * @param joinedAt when the node joined, by the clock of the node
     * @param since    how long the node has been in this state; for a node that is up, how long its lease has held
     *                 without a gap
     * @param tasks    the tasks of the node by work, also of a node that is gone
     */
    public record Node(String name, NodeRole role, State state, Instant joinedAt, Duration since, List<Tasks> tasks) {

        /** The number of tasks whose work has begun and has not ended. */
        public long begun() {
            return tasks.stream().mapToLong(Tasks::begun).sum();
        }

        /** The number of tasks whose work has not begun. */
        public long waiting() {
            return tasks.stream().mapToLong(Tasks::waiting).sum();
        }

        /** The age of the oldest task whose work has not begun; zero where there is none. */
        public Duration oldest() {
            return tasks.stream()
                    .map(Tasks::oldest)
                    .max(Comparator.naturalOrder())
                    .orElse(Duration.ZERO);
        }
    }

    /**
     * The tasks of one work at a node: how many have begun and not ended, and how many have not begun.
     *
     * @param oldest the age of the oldest task that has not begun; zero where there is none
     */
    public record Tasks(String work, long begun, long waiting, Duration oldest) {}

    /** The key of tasks without a node. */
    private static final String NOBODY = "";

    private static final String NODES = """
        SELECT node, joined_at, CASE
            WHEN expires_at = '-infinity' THEN 'GONE'
            WHEN expires_at <= clock_timestamp() THEN 'SILENT'
            WHEN draining THEN 'DRAINING' ELSE 'UP' END,
            extract(epoch FROM clock_timestamp() - CASE
                WHEN expires_at > '-infinity' AND expires_at <= clock_timestamp() THEN expires_at
                ELSE held_since END) * 1000::bigint, role, labels
        FROM lease ORDER BY node
        """;

    private static final String TASKS = """
        SELECT coalesce(lease_node, ''), work,
            count(*) FILTER (WHERE last_event > 1), count(*) FILTER (WHERE last_event = 1),
            min(id) FILTER (WHERE last_event = 1), clock_timestamp()
        FROM task WHERE stage > 0 GROUP BY 1, 2 ORDER BY 1, 2
        """;

    private static final String IS_THERE = """
        SELECT FROM information_schema.columns
        WHERE table_schema = ? AND table_name = 'lease' AND column_name = 'labels'
        """;

    private final Database database;
    private final PooledSessions sessions;

    private PostgresNodes(Database database) {
        this.database = database;
        sessions = PooledSessions.writing(database.pool(), database.schema());
    }

    /**
     * Connects to the database at an address of the form of {@link PostgresTaskStore#at}.
     *
     * @throws StoreException where the database cannot be reached, or the address is invalid
     */
    public static PostgresNodes at(String url, @Nullable String user, @Nullable String password) {
        return new PostgresNodes(Database.at(url, user, password, 1));
    }

    /** All nodes in the order of their names. A node that is gone and has no tasks is forgotten after a day. */
    public List<Node> list() {
        return inTransaction(session -> {
            var tasks = tasks(session);
            return session.query(row -> node(row, tasks), NODES);
        });
    }

    /** The tasks that no node has. A node that offers the work of such a task takes it within a second. */
    public List<Tasks> free() {
        return inTransaction(session -> tasks(session).getOrDefault(NOBODY, List.of()));
    }

    /**
     * Starts or ends the draining of a node; the node learns of it within a second. Draining also ends when the process
     * of the node starts again.
     *
     * @return whether there is such a node that is not gone
     */
    public boolean drain(String node, boolean isDraining) {
        return inTransaction(session -> Leases.drain(session, node, isDraining));
    }

    private <T> T inTransaction(Read<T> read) {
        try (var session = sessions.take()) {
            session.begin();
            var schema = database.schema().name();
            if (session.queryOne(row -> true, IS_THERE, schema).isEmpty()) {
                throw new StoreException(
                        database.failures().store() + ": no server of this version of Longhaul has kept tasks there");
            }
            var result = read.run(session);
            session.commit();
            return result;
        } catch (SQLException e) {
            throw database.failures().of(e);
        }
    }

    private static Node node(ResultSet row, Map<String, List<Tasks>> tasks) throws SQLException {
        var name = row.getString(1);
        return new Node(
                name,
                new NodeRole(NodeRole.Kind.valueOf(row.getString(5)), Set.of((String[])
                        row.getArray(6).getArray())),
                State.valueOf(row.getString(3)),
                Times.fromColumn(row.getLong(2)),
                Duration.ofMillis(Math.max(0, row.getLong(4))),
                tasks.getOrDefault(name, List.of()));
    }

    /** The tasks by the name of their node, or {@link #NOBODY}. */
    private static Map<String, List<Tasks>> tasks(SqlSession session) throws SQLException {
        return session.query(PostgresNodes::held, TASKS).stream()
                .collect(groupingBy(Held::node, mapping(Held::tasks, toList())));
    }

    private static Held held(ResultSet row) throws SQLException {
        return new Held(row.getString(1), new Tasks(row.getString(2), row.getLong(3), row.getLong(4), oldest(row)));
    }

    private static Duration oldest(ResultSet row) throws SQLException {
        var id = row.getString(5);
        var age = id == null
                ? Duration.ZERO
                : Duration.between(
                        new TaskId(id).createdAt(), row.getTimestamp(6).toInstant());
        // Nodes have other clocks than the database.
        return age.isNegative() ? Duration.ZERO : age;
    }

    private record Held(String node, Tasks tasks) {}

    @Override
    public void close() {
        database.close();
    }
}
