// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreFullException;
import io.longhaul.store.jdbc.sql.Failures;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Describes failures of a data file in words. */
record SqliteFailures(Path file) implements Failures {

    /** The exception for a failure of a data file. */
    static StoreException of(Path file, Throwable failure) {
        return new SqliteFailures(file).of(failure);
    }

    /**
     * Whether the file can no longer be trusted to keep writes: the disk failed during a write, or the file is damaged.
     */
    static boolean isFatal(SQLException failure) {
        var code = primaryCode(failure);
        return code == SQLiteErrorCode.SQLITE_IOERR && !isFull(failure)
                || code == SQLiteErrorCode.SQLITE_CORRUPT
                || code == SQLiteErrorCode.SQLITE_NOTADB;
    }

    @Override
    public String store() {
        return "task store " + file;
    }

    @Override
    public StoreException ofSql(SQLException failure) {
        return isFull(failure)
                ? new StoreFullException(store() + ": the disk is full", failure)
                : new StoreException(store() + ": " + words(failure), failure);
    }

    /** What a fatal failure says of the file, without advice. */
    static String damage(SQLException failure) {
        var code = primaryCode(failure);
        return code == SQLiteErrorCode.SQLITE_NOTADB
                ? "it is no SQLite database"
                : code == SQLiteErrorCode.SQLITE_CORRUPT ? "SQLite cannot read it" : words(failure);
    }

    private static String words(SQLException failure) {
        var code = primaryCode(failure);
        return switch (code == null ? SQLiteErrorCode.SQLITE_ERROR : code) {
            case SQLITE_NOTADB -> "it is no SQLite database, or damaged: restore it, or use another file";
            case SQLITE_CORRUPT -> "it is damaged";
            case SQLITE_READONLY, SQLITE_PERM -> "it may not be written by this user";
            case SQLITE_CANTOPEN -> "it cannot be opened: is the folder there, and may this user read and write both?";
            case SQLITE_IOERR -> "the disk failed (" + failure.getMessage() + ")";
            case SQLITE_BUSY, SQLITE_LOCKED -> "another program uses it as a database at this moment";
            default -> String.valueOf(failure.getMessage());
        };
    }

    /** Whether the disk had no room, for the file itself or for SQLite's shared-memory file. */
    static boolean isFull(SQLException failure) {
        return primaryCode(failure) == SQLiteErrorCode.SQLITE_FULL
                || failure instanceof SQLiteException sqlite
                        && sqlite.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_SHMSIZE;
    }

    @Override
    public boolean isFinal(SQLException failure) {
        return isFatal(failure);
    }

    /** Always false: on a full disk a small write may find room where a large write does not. */
    @Override
    public boolean isOfEveryWrite(SQLException failure) {
        return false;
    }

    private static @Nullable SQLiteErrorCode primaryCode(SQLException failure) {
        if (!(failure instanceof SQLiteException sqlite)) {
            return null;
        }
        return SQLiteErrorCode.getErrorCode(sqlite.getResultCode().code & 0xFF);
    }
}
