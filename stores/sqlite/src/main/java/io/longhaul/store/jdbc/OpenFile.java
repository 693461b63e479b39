// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.engine.store.StoreException;
import io.longhaul.store.jdbc.sql.Closing;
import io.longhaul.store.jdbc.sql.KnownKeys;
import io.longhaul.store.jdbc.sql.SqlSession;
import io.longhaul.store.jdbc.sql.WriteQueue;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;

/** A data file that is open for writing, with its mark, its reserve and the check of its presence. */
final class OpenFile implements WriteQueue.Companion, AutoCloseable {

    /** Opens a connection. */
    @FunctionalInterface
    interface Opener {
        SqliteSession open(Path file) throws SQLException;
    }

    private final SqliteSession session;
    private final CommitMark mark;
    private final Presence presence;
    private final Reserve reserve;
    private final Runnable afterRollback;
    private long changes;
    private boolean hasWritten;

    private OpenFile(
            SqliteSession session, CommitMark mark, Presence presence, Reserve reserve, Runnable afterRollback) {
        this.session = session;
        this.mark = mark;
        this.presence = presence;
        this.reserve = reserve;
        this.afterRollback = afterRollback;
    }

    /**
     * Opens the file and upgrades it to the newest schema. The caller holds the lock of the file.
     *
     * @param keys          the keys, which refuse a file with data that they cannot open
     * @param afterRollback clears cached data of rows that were rolled back
     * @throws StoreException where the file cannot be opened, or has lost data
     */
    static OpenFile open(Path file, Opener opener, KnownKeys keys, Runnable afterRollback) {
        var mark = CommitMark.of(file);
        try {
            mark.refuseEmpty();
            DataFile.tighten(file);
            var reserve = new Reserve(file);
            var session = session(file, opener, keys, reserve);
            try {
                mark.refuseLoss(session);
                return new OpenFile(session, mark, Presence.of(file), reserve, afterRollback);
            } catch (SQLException | IOException | RuntimeException e) {
                session.close();
                throw e;
            }
        } catch (SQLException e) {
            mark.close();
            throw SqliteFailures.of(file, e);
        } catch (IOException e) {
            mark.close();
            throw new StoreException("task store " + file + ": it cannot be opened: " + e.getMessage(), e);
        } catch (StoreException e) {
            mark.close();
            throw e;
        }
    }

    /** Opens the session; on a full disk the reserve gives the room that this needs. */
    private static SqliteSession session(Path file, Opener opener, KnownKeys keys, Reserve reserve)
            throws SQLException {
        try {
            var session = upgraded(file, opener, keys);
            reserve.keep();
            return session;
        } catch (SQLException e) {
            if (SqliteFailures.isFull(e) && reserve.release()) {
                return upgraded(file, opener, keys);
            }
            throw e;
        }
    }

    private static SqliteSession upgraded(Path file, Opener opener, KnownKeys keys) throws SQLException {
        var session = opener.open(file);
        try {
            Schema.upgrade(session, file);
            keys.admit(session, "task store " + file);
            return session;
        } catch (SQLException | RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /**
     * Opens a connection that reads, to the same file only: another file of this name would share and corrupt the
     * write-ahead log.
     */
    SqliteSession openReader(Path file) throws SQLException {
        presence.check();
        return DataFile.openReader(file);
    }

    @Override
    public SqlSession take() {
        return session;
    }

    @Override
    public void giveBack(SqlSession taken) {
        // There is one session, which stays open.
    }

    /**
     * Numbers a transaction that wrote rows. Without a number, a transaction without writes needs neither sync nor
     * room.
     */
    @Override
    public void complete(SqlSession writer) throws SQLException {
        hasWritten = session.changes() != changes;
        if (hasWritten) {
            mark.number(writer);
            changes = session.changes();
        }
    }

    @Override
    public void committing() {
        if (hasWritten) {
            presence.refuseCut();
        }
    }

    @Override
    public void committed() {
        if (hasWritten) {
            presence.committed();
            mark.advance();
        }
    }

    @Override
    public void rolledBack() {
        afterRollback.run();
    }

    /** Moves the write-ahead log into the data file where {@code isSound}, and closes the session. */
    @Override
    public void end(boolean isSound) throws SQLException {
        try (session) {
            if (isSound) {
                session.query(row -> row.getInt(1), "PRAGMA wal_checkpoint(PASSIVE)");
            }
        }
    }

    /** Closes the session and this file, where no writer has taken the session over. */
    void abandon() {
        Closing.quietly(session, "A data file");
        close();
    }

    /** Called after the session is closed, so that the room that the session needed is reserved again. */
    @Override
    public void close() {
        presence.close();
        mark.close();
        reserve.keep();
    }
}
