// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.ListedTasks;
import io.longhaul.engine.store.NodeRole;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.SharedTasks;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.store.jdbc.codec.RowSeal;
import io.longhaul.store.jdbc.sql.ChangeRows;
import io.longhaul.store.jdbc.sql.KnownKeys;
import io.longhaul.store.jdbc.sql.Operator;
import io.longhaul.store.jdbc.sql.ReadPool;
import io.longhaul.store.jdbc.sql.SqlRowStore;
import io.longhaul.store.jdbc.sql.TaskListing;
import io.longhaul.store.jdbc.sql.TaskRows;
import io.longhaul.store.jdbc.sql.WriteQueue;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Stores tasks in a PostgreSQL database, 14 or newer, in a schema of their own, for any number of servers.
 *
 * <p>A committed change is as durable as the database makes it. All waiting changes share one transaction. While the
 * database is unreachable each call fails with {@link StoreException}; calls succeed again when the database is back.
 * Thread-safe; callers may be virtual threads, and are not interrupted while they wait for a commit.
 */
public final class PostgresTaskStore implements TaskStore {

    /** The term of a lease: after this time without a renewal a node may lose its tasks to other nodes. */
    static final Duration TERM = Duration.ofSeconds(15);

    private static final String PAGE = "SELECT " + TaskRows.COLUMNS + " FROM task WHERE id = ANY (?) ORDER BY id DESC";

    private final Database database;
    private final WriteQueue writer;
    private final PostgresWriter writing;
    private final Wakes wakes;
    private final ReadPool readers;
    private final TaskRows tasks;
    private final TaskListing listing;
    private final RowStore rows;
    private final Sweep sweep = new Sweep();
    private boolean closed;

    private PostgresTaskStore(Database database, RowSeal seal) {
        this.database = database;
        var operator = Operator.of(database.failures());
        tasks = new TaskRows(seal, database.schema().name());
        listing = new TaskListing(seal, "");
        var leases = new Leases(tasks, TERM, database.schema().name());
        writing = new PostgresWriter(
                PooledSessions.writing(database.pool(), database.schema()), leases, new CommitBatch());
        writer = new WriteQueue(writing, operator);
        readers = new ReadPool(PooledSessions.reading(database.pool(), database.schema()), operator);
        wakes = new Wakes(database, readers);
        var all = SqlRowStore.shared(writer, readers, seal, database.schema().name());
        rows = new TextualRows(all, wakes, database.failures());
    }

    /**
     * Opens the store in the schema {@code longhaul} of the database that the pool connects to. A missing schema is
     * created, and an older schema is upgraded.
     *
     * @param pool a pool such as HikariCP's, with 6 connections more than the application needs; the caller closes the
     *             pool after the store
     * @throws StoreException if the database cannot be reached, is too old, or refuses
     */
    public static PostgresTaskStore at(DataSource pool) {
        return at(pool, DataKeys.NONE);
    }

    /**
     * As {@link #at(DataSource)}, with confidential data sealed by keys: arguments, answers, partial output, log lines,
     * results, and the rows of sessions. Ids, owners, the names of tools and times are not sealed.
     *
     * @throws StoreException as {@link #at(DataSource)} does, and where data is sealed with another key
     */
    public static PostgresTaskStore at(DataSource pool, DataKeys keys) {
        return open(Database.of(pool, SchemaName.STANDARD), keys);
    }

    /**
     * Opens the store in the database at an address, with a pool of its own.
     *
     * @param url      an address for the JDBC driver of PostgreSQL, with any of its settings, such as {@code sslmode};
     *                 the setting {@code currentSchema} is the schema of the store, by default {@code longhaul}
     * @param user     null where the address contains the user, or for the user of the process
     * @param password null where the address contains the password, or for none; it is never logged
     * @throws StoreException as {@link #at(DataSource, DataKeys)} does, and where the address is invalid
     */
    public static PostgresTaskStore at(String url, @Nullable String user, @Nullable String password, DataKeys keys) {
        return open(Database.at(url, user, password), keys);
    }

    /** Opens the store in a database, which the store closes. */
    static PostgresTaskStore open(Database database, DataKeys keys) {
        try {
            new PoolerCheck(database.upgrading()).run();
            database.upgrade();
            var seal = RowSeal.with(keys.bytes());
            try (var session =
                    PooledSessions.writing(database.pool(), database.schema()).take()) {
                session.begin();
                new KnownKeys(seal).admit(session, database.failures().store());
                session.commit();
            }
            return new PostgresTaskStore(database, seal);
        } catch (SQLException e) {
            database.close();
            throw database.failures().of(e);
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }

    /** Sets the role that {@link PostgresNodes} lists of this node; call this before the node joins. */
    public void role(NodeRole role) {
        writing.leases().role(role);
    }

    @Override
    public Lease join(String node, Instant now) {
        return writer.write(session -> writing.leases().join(session, node, false, now));
    }

    @Override
    public void leave(Lease lease, Instant now) {
        writer.write(session -> {
            writing.leases().leave(session, lease);
            return lease;
        });
    }

    @Override
    public List<Task> claim(Lease lease, int limit, Instant now) {
        return writer.write(session -> writing.leases().claim(session, lease, null, limit, now));
    }

    @Override
    public CommitResult commit(Change change) {
        var changed = ChangeRows.of(change, tasks.seal());
        if (!Texts.canBeStored(change.after().owner().value(), changed.key(), changed.route(), changed.work())) {
            throw database.failures().unfit("an owner, a creation key, a route or the name of a tool");
        }
        return writer.writeTogether(session -> writing.commit(changed));
    }

    @Override
    public Optional<Task> find(TaskId id) {
        return tasks.find(readers, id);
    }

    @Override
    public Optional<Task> findByKey(Owner owner, String keyValue) {
        return Texts.canBeStored(owner.value(), keyValue)
                ? tasks.findByKey(readers, owner, keyValue)
                : Optional.empty();
    }

    @Override
    public ListedTasks list(TaskFilter filter, @Nullable TaskId before, int limit) {
        if (filter.owner() != null && !Texts.canBeStored(filter.owner().value())) {
            return new ListedTasks(List.of(), null);
        }
        return readers.read(session -> {
            var page = listing.page(session, filter, before, limit);
            var ids = page.ids().stream().map(TaskId::value).toArray(String[]::new);
            var found = session.query(TaskRows::row, PAGE, session.array("text", ids));
            return new ListedTasks(tasks.decodeAll(session, found), page.next());
        });
    }

    @Override
    public List<Task> routed(Owner owner, Route route, @Nullable TaskId after, int limit) {
        return Texts.canBeStored(owner.value(), route.group(), route.member())
                ? tasks.routed(readers, owner, route, after, limit)
                : List.of();
    }

    @Override
    public List<TaskEvent> history(TaskId id, long after, int limit) {
        return readers.read(session -> {
            var task = tasks.find(session, id);
            return task.isEmpty() ? List.of() : tasks.history(session, task.get(), after, limit);
        });
    }

    @Override
    public boolean remove(TaskId id) {
        return writer.write(session -> Sweep.one(session, id));
    }

    @Override
    public int sweep(Instant now, int limit) {
        return writer.write(session -> sweep.expired(session, now, limit));
    }

    @Override
    public Optional<SharedTasks> sharedTasks() {
        return Optional.of(new PostgresSharedTasks(writer, readers, tasks, writing.leases(), wakes));
    }

    @Override
    public RowStore rows() {
        return rows;
    }

    /** Writes all waiting changes; tasks keep their leases. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        wakes.close();
        readers.close();
        writer.close();
        database.close();
    }
}
