// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.engine.store.PrivateFiles;
import io.longhaul.engine.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/**
 * Opens connections to a SQLite file with the settings of the store. SQLite does not map the file into memory, its
 * default: access to a mapped page that the file has lost would end the process with SIGBUS.
 */
final class DataFile {
    private static final Path IN_MEMORY = Path.of(":memory:");
    private static final int CACHE_KIB = 64 * 1_024;
    private static final int READER_CACHE_KIB = 8 * 1_024;
    private static final int CHECKPOINT_PAGES = 8_000;
    private static final int BUSY_MILLIS = 10_000;

    private DataFile() {}

    /** The real path of a file, so that two paths to the same file are equal. The folder must exist. */
    static Path resolve(Path file) {
        var absolute = file.toAbsolutePath().normalize();
        var folder = absolute.getParent();
        if (folder == null || absolute.getFileName() == null || Files.isDirectory(absolute)) {
            throw new StoreException("task store " + file + ": it is a folder, and must be a file");
        }
        if (!Files.isDirectory(folder)) {
            throw new StoreException("task store " + file + ": there is no folder " + folder);
        }
        if (!Files.isWritable(folder)) {
            throw new StoreException("task store " + file + ": the folder " + folder + " may not be written");
        }
        try {
            var real = folder.toRealPath();
            PrivateFiles.refuseLoose(real);
            return Files.exists(absolute, LinkOption.NOFOLLOW_LINKS) && !Files.isSymbolicLink(absolute)
                    ? absolute.toRealPath()
                    : real.resolve(absolute.getFileName());
        } catch (IOException e) {
            throw new StoreException("task store " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Creates the file where there is none, and removes the rights of other users to the file and to SQLite's files
     * beside it.
     */
    static void tighten(Path file) throws IOException {
        PrivateFiles.createFile(file);
        // SQLite creates the files beside the database with the permissions of the database.
        for (var suffix : new String[] {"-wal", "-shm", "-journal"}) {
            var beside = file.resolveSibling(file.getFileName() + suffix);
            if (Files.exists(beside, LinkOption.NOFOLLOW_LINKS)) {
                PrivateFiles.tighten(beside);
            }
        }
    }

    /** Opens the connection that writes, and creates the file where there is none. */
    static SqliteSession openWriter(Path file) throws SQLException {
        var session = SqliteSession.writer(connect(file, SQLiteOpenMode.READWRITE, SQLiteOpenMode.CREATE));
        try {
            session.query(row -> row.getString(1), "PRAGMA journal_mode = WAL");
            session.script("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES);
            session.script("PRAGMA cache_size = -" + CACHE_KIB);
            session.script("PRAGMA secure_delete = ON");
            return session;
        } catch (SQLException e) {
            session.close();
            throw e;
        }
    }

    /** Loads the driver and its library, with a database in memory. */
    static void load() throws SQLException {
        try (var session = SqliteSession.reader(connect(IN_MEMORY, SQLiteOpenMode.READWRITE))) {
            session.query(row -> row.getString(1), "PRAGMA journal_mode");
        }
    }

    /** Opens a connection that reads concurrently with the writer. */
    static SqliteSession openReader(Path file) throws SQLException {
        var session = SqliteSession.reader(connect(file, SQLiteOpenMode.READWRITE));
        try {
            session.script("PRAGMA query_only = 1; PRAGMA cache_size = -" + READER_CACHE_KIB);
            return session;
        } catch (SQLException e) {
            session.close();
            throw e;
        }
    }

    static Connection connect(Path file, SQLiteOpenMode... modes) throws SQLException {
        var config = new SQLiteConfig();
        config.resetOpenMode(SQLiteOpenMode.READWRITE);
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        config.resetOpenMode(SQLiteOpenMode.FULLMUTEX);
        for (var mode : modes) {
            config.setOpenMode(mode);
        }
        config.setOpenMode(SQLiteOpenMode.NOMUTEX);
        config.setBusyTimeout(BUSY_MILLIS);
        // Otherwise the driver queries the key of the last row after each insert.
        config.setGetGeneratedKeys(false);
        Properties settings = config.toProperties();
        var connection = JDBC.createConnection("jdbc:sqlite:" + file, settings);
        // In auto-commit mode the driver tries to begin a transaction after each statement. Leaving that mode begins a
        // transaction too, which is rolled back here: all others begin with an explicit BEGIN.
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.executeUpdate("ROLLBACK");
        }
        return connection;
    }
}
