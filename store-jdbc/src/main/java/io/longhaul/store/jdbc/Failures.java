package io.longhaul.store.jdbc;

import io.longhaul.engine.store.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Says in words what SQLite reports. */
final class Failures {
    private Failures() {}

    static StoreException of(Path file, SQLException failure) {
        var code = primaryCode(failure);
        var what = switch (code == null ? SQLiteErrorCode.SQLITE_ERROR : code) {
            case SQLITE_FULL -> "the disk is full";
            case SQLITE_NOTADB -> "it is no SQLite database, or damaged: restore it, or use another file";
            case SQLITE_CORRUPT -> "it is damaged";
            case SQLITE_READONLY, SQLITE_PERM -> "it may not be written by this user";
            case SQLITE_CANTOPEN -> "it cannot be opened: is the folder there, and writable?";
            case SQLITE_IOERR -> "the disk failed (" + failure.getMessage() + ")";
            case SQLITE_BUSY, SQLITE_LOCKED -> "another program uses it as a database at this moment";
            default -> String.valueOf(failure.getMessage());
        };
        return new StoreException("task store " + file + ": " + what, failure);
    }

    /** Whether the storage can no longer be trusted to keep what it is told: the disk failed during a write. */
    static boolean isFinal(SQLException failure) {
        var code = primaryCode(failure);
        return code == SQLiteErrorCode.SQLITE_IOERR
                || code == SQLiteErrorCode.SQLITE_CORRUPT
                || code == SQLiteErrorCode.SQLITE_NOTADB;
    }

    private static @org.jspecify.annotations.Nullable SQLiteErrorCode primaryCode(SQLException failure) {
        if (!(failure instanceof SQLiteException sqlite)) {
            return null;
        }
        return SQLiteErrorCode.getErrorCode(sqlite.getResultCode().code & 0xFF);
    }
}
