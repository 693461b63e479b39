// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.ListedTasks;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.store.jdbc.codec.RowSeal;
import io.longhaul.store.jdbc.sql.ChangeRows;
import io.longhaul.store.jdbc.sql.KnownKeys;
import io.longhaul.store.jdbc.sql.Operator;
import io.longhaul.store.jdbc.sql.ReadPool;
import io.longhaul.store.jdbc.sql.SqlRowStore;
import io.longhaul.store.jdbc.sql.TaskListing;
import io.longhaul.store.jdbc.sql.TaskRows;
import io.longhaul.store.jdbc.sql.WriteQueue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores tasks in one SQLite file, for one process at a time: the embedded default.
 *
 * <p>A committed change is on the disk: the store uses a write-ahead log with full sync, and one sync serves all
 * waiting commits. The database also needs the files {@code NAME-wal} and {@code NAME-shm} beside it; {@code NAME.lock}
 * is its lock. Thread-safe; callers may be virtual threads, and are not interrupted while they wait for a commit.
 */
public final class SqliteTaskStore implements TaskStore {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteTaskStore.class);

    /** Without this hint SQLite scans all tasks of the owner. */
    static final String OF_LIVE = "INDEXED BY task_unended";

    private final DataLock lock;
    private final OpenFile file;
    private final WriteQueue writer;
    private final ReadPool readers;
    private final FileCheck check;
    private final SqliteTaskWrites writes;
    private final TaskRows tasks;
    private final TaskListing listing;
    private final SqlRowStore rows;
    private final Operator operator;
    private final Room room;
    private final EndedTasks ended = new EndedTasks(EndedTasks.BYTES);
    private boolean closed;

    private SqliteTaskStore(
            Path path, DataLock lock, OpenFile file, SqliteTaskWrites writes, SqliteSession checker, Room room) {
        this.lock = lock;
        this.file = file;
        this.room = room;
        this.writes = writes;
        this.tasks = writes.rows();
        listing = new TaskListing(tasks.seal(), OF_LIVE);
        operator = Operator.of(new SqliteFailures(path));
        writer = new WriteQueue(file, operator);
        readers = new ReadPool(new IdleSessions(path, file::openReader), operator);
        rows = SqlRowStore.of(writer, readers, tasks.seal(), () -> require(room.isThere()));
        check = new FileCheck(path, checker, damage -> writer.refuse(operator.tell(damage)));
    }

    /**
     * Opens the store in {@code file}. The file is created where there is none, and an older schema is upgraded. Only
     * this user can access the file. A check for damage runs in the background.
     *
     * @throws io.longhaul.engine.store.StoreInUseException if another process or store has the file open (the message
     *                                                      names the holder)
     * @throws StoreException                               if the folder is missing, may not be written, or may be
     *                                                      written by other users; if the file is damaged, has lost
     *                                                      commits, or belongs to another program or a newer version of
     *                                                      Longhaul
     */
    public static SqliteTaskStore at(Path file) {
        return at(file, DataKeys.NONE);
    }

    /**
     * As {@link #at(Path)}, with confidential data sealed by keys: arguments, answers, partial output, log lines,
     * results, and the rows of sessions. Ids, owners and times are not sealed. Data that was stored without keys stays
     * unsealed until it is written again or its retention is over.
     *
     * @throws StoreException as {@link #at(Path)} does, and where the file has data that is sealed with another key
     */
    public static SqliteTaskStore at(Path file, DataKeys keys) {
        return at(file, keys, DataFile::openWriter, Room.of(DataFile.resolve(file)));
    }

    /**
     * Loads SQLite, which takes most of the time of the first opening in a process. A program can call this method on
     * another thread while it does other work. Where SQLite cannot be loaded, the later opening reports why.
     */
    public static void load() {
        try {
            DataFile.load();
        } catch (SQLException e) {
            LOG.debug("SQLite was not loaded ahead", e);
        }
    }

    /** @param opener opens the connection that writes */
    static SqliteTaskStore at(Path file, OpenFile.Opener opener) {
        return at(file, DataKeys.NONE, opener, Room.of(DataFile.resolve(file)));
    }

    static SqliteTaskStore at(Path file, DataKeys keys, OpenFile.Opener opener, Room room) {
        var path = DataFile.resolve(file);
        var lock = DataLock.on(path, "task store " + path);
        try {
            return open(path, lock, RowSeal.with(keys.bytes()), opener, room);
        } catch (StoreException e) {
            lock.close();
            throw e;
        }
    }

    private static SqliteTaskStore open(Path path, DataLock lock, RowSeal seal, OpenFile.Opener opener, Room room) {
        var writes = new SqliteTaskWrites(new TaskRows(seal));
        var file = OpenFile.open(path, opener, new KnownKeys(seal), writes::forget);
        try {
            return new SqliteTaskStore(path, lock, file, writes, DataFile.openReader(path), room);
        } catch (SQLException e) {
            file.abandon();
            throw SqliteFailures.of(path, e);
        }
    }

    /**
     * The present rows of a space, in the order of their keys, also while another process has the store open. The
     * method only reads.
     *
     * @param keys the keys of the store
     * @throws StoreException if there is no store in {@code file}, or the file cannot be read
     */
    public static List<StoredRow> rows(Path file, DataKeys keys, String space, int limit, Instant now) {
        var path = DataFile.resolve(file);
        if (!Files.isRegularFile(path)) {
            throw new StoreException("task store " + file + ": there is no such file");
        }
        try (var reader = DataFile.openReader(path)) {
            return SqlRowStore.list(reader, RowSeal.with(keys.bytes()), space, limit, now);
        } catch (SQLException e) {
            throw SqliteFailures.of(path, e);
        }
    }

    /** On a full disk the lease holds before it is stored, because no other process can have the file. */
    @Override
    public Lease join(String node, Instant now) {
        try {
            return writer.write(session -> writes.join(session, node, now));
        } catch (StoreFullException e) {
            var lease = readers.read(session -> SqliteTaskWrites.nextLease(session, node));
            writes.owe(lease, now);
            return lease;
        }
    }

    @Override
    public void leave(Lease lease, Instant now) {
        writer.write(session -> {
            writes.leave(session, lease, now);
            return lease;
        });
    }

    @Override
    public List<Task> claim(Lease lease, int limit, Instant now) {
        return writer.write(session -> writes.claim(session, lease, limit, now));
    }

    @Override
    public CommitResult commit(Change change) {
        if (change.before() == null) {
            require(room.isThere(change.after().spec().createdAt()));
        }
        var changed = ChangeRows.of(change, tasks.seal());
        try {
            return writer.write(session -> writes.commit(session, changed));
        } finally {
            if (EndedTasks.isEnded(change.before())) {
                ended.forget(change.after().id());
            }
        }
    }

    @Override
    public Optional<Task> find(TaskId id) {
        return ended.find(id, () -> tasks.find(readers, id));
    }

    @Override
    public Optional<Task> findByKey(Owner owner, String keyValue) {
        return tasks.findByKey(readers, owner, keyValue);
    }

    @Override
    public ListedTasks list(TaskFilter filter, @Nullable TaskId before, int limit) {
        return readers.read(session -> {
            var page = listing.page(session, filter, before, limit);
            var found = new ArrayList<Task>();
            for (var id : page.ids()) {
                ended.find(id, () -> tasks.find(session, id)).ifPresent(found::add);
            }
            return new ListedTasks(found, page.next());
        });
    }

    @Override
    public List<Task> routed(Owner owner, Route route, @Nullable TaskId after, int limit) {
        return tasks.routed(readers, owner, route, after, limit);
    }

    @Override
    public List<TaskEvent> history(TaskId id, long after, int limit) {
        var task = find(id);
        return task.isEmpty() ? List.of() : readers.read(session -> tasks.history(session, task.get(), after, limit));
    }

    @Override
    public boolean remove(TaskId id) {
        try {
            return writer.write(session -> writes.remove(session, id));
        } finally {
            ended.forget(id);
        }
    }

    @Override
    public int sweep(Instant now, int limit) {
        var swept = writer.write(session -> writes.sweep(session, now, limit));
        if (swept > 0) {
            ended.forgetAll();
        }
        return swept;
    }

    /** Refuses what is new on a full disk; what goes on may find room in the pages that SQLite has. */
    private void require(boolean hasRoom) {
        if (!hasRoom) {
            throw operator.tell(new StoreFullException(operator.failures().store() + ": the disk is full"));
        }
    }

    @Override
    public RowStore rows() {
        return rows;
    }

    /** Writes all waiting changes, and releases the file. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        ended.forgetAll();
        check.close();
        readers.close();
        writer.close();
        file.close();
        lock.close();
    }

    /** Blocks until the check for damage has ended. */
    void awaitCheck() throws InterruptedException {
        check.await();
    }
}
