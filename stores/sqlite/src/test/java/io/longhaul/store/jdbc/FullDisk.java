// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import org.sqlite.SQLiteOpenMode;

/**
 * Opens connections whose statements that write fail while there is no room, as on a full disk, and whose commit fails
 * once where the disk cannot sync.
 */
final class FullDisk {
    private final AtomicBoolean unsynced = new AtomicBoolean();
    private volatile boolean full;

    void fill() {
        full = true;
    }

    void free() {
        full = false;
    }

    void failNextSync() {
        unsynced.set(true);
    }

    SqliteSession open(Path file) throws SQLException {
        DataFile.openWriter(file).close();
        return SqliteSession.writer(
                proxy(Connection.class, DataFile.connect(file, SQLiteOpenMode.READWRITE, SQLiteOpenMode.CREATE), ""));
    }

    private <T> T proxy(Class<T> type, T real, String sql) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (method.getName().startsWith("execute")) {
                        fail(sql.strip());
                    }
                    try {
                        var result = method.invoke(real, arguments);
                        return result instanceof PreparedStatement statement
                                ? proxy(PreparedStatement.class, statement, (String) arguments[0])
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private void fail(String sql) throws SQLException {
        if (full && sql.matches("(?s)(INSERT|UPDATE|DELETE).*")) {
            throw new SQLiteException("database or disk is full", SQLiteErrorCode.SQLITE_FULL);
        }
        if (sql.equals("COMMIT") && unsynced.getAndSet(false)) {
            throw new SQLiteException("disk I/O error", SQLiteErrorCode.SQLITE_IOERR_FSYNC);
        }
    }
}
