// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.engine.store.PrivateFiles;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.TaskId;
import io.longhaul.store.jdbc.codec.RowSeal;
import io.longhaul.store.jdbc.sql.KnownKeys;
import io.longhaul.store.jdbc.sql.SqlSession;
import io.longhaul.store.jdbc.sql.TaskListing;
import io.longhaul.store.jdbc.sql.TaskRows;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.sqlite.SQLiteOpenMode;

/** Operations of an operator on the file of a {@link SqliteTaskStore}, also while a server has the store open. */
public final class SqliteFiles {

    /** The most problems in a report. */
    static final int TOLD = 20;

    private static final int PAGE = 1_000;

    private SqliteFiles() {}

    /**
     * Copies a consistent snapshot of the store into a new file. Only this user can access the copy, which is durable
     * when the method returns. Sealed data stays sealed, with the same keys.
     *
     * @throws StoreException where there is no store, where {@code copy} exists, or where it cannot be written; then no
     *                        copy is left
     */
    public static void backUp(Path file, Path copy) {
        var path = existing(file);
        if (Files.exists(copy, LinkOption.NOFOLLOW_LINKS)) {
            throw new StoreException(copy + " is there already: name a new file");
        }
        try {
            // SQLite writes into an empty file without changing its permissions.
            PrivateFiles.createFile(copy);
            try (var session = SqliteSession.reader(DataFile.connect(path, SQLiteOpenMode.READWRITE))) {
                session.update("VACUUM INTO ?", copy.toString());
            }
            try (var written = FileChannel.open(copy, StandardOpenOption.WRITE)) {
                written.force(true);
            }
        } catch (SQLException | IOException e) {
            throw new StoreException("the backup " + copy + " cannot be written: " + reason(e, copy), e);
        }
    }

    private static String reason(Exception e, Path copy) {
        try {
            Files.deleteIfExists(copy);
        } catch (IOException left) {
            e.addSuppressed(left);
        }
        return switch (e) {
            case FileAlreadyExistsException there -> "it is there already";
            case NoSuchFileException none -> "its folder is not there";
            case AccessDeniedException denied -> "this user may not write it";
            default -> String.valueOf(e.getMessage());
        };
    }

    /**
     * Checks the whole file, and reads every task.
     *
     * @return the first {@value #TOLD} problems; empty for none
     * @throws StoreException where there is no store, or the store has data that is sealed with another key
     */
    public static List<String> problems(Path file, DataKeys keys) {
        var path = existing(file);
        long marked = CommitMark.marked(path);
        var seal = RowSeal.with(keys.bytes());
        try (var reader = DataFile.openReader(path)) {
            if (!hasTables(reader)) {
                return List.of("the tables of the store are missing: they were in the log " + path.getFileName()
                        + "-wal, which is damaged or missing, and is restored with the file");
            }
            new KnownKeys(seal).require(reader, "task store " + path);
            var problems = new ArrayList<>(FileCheck.allProblems(reader, TOLD));
            CommitMark.missing(reader, marked).ifPresent(problems::add);
            if (problems.isEmpty()) {
                problems.addAll(unreadable(reader, new TaskRows(seal)));
            }
            return List.copyOf(problems.subList(0, Math.min(TOLD, problems.size())));
        } catch (SQLException e) {
            if (SqliteFailures.isFatal(e)) {
                return List.of(SqliteFailures.damage(e));
            }
            throw SqliteFailures.of(path, e);
        }
    }

    /** Whether the file has its tables: without the log beside it, a young file has none. */
    private static boolean hasTables(SqlSession reader) throws SQLException {
        return reader.queryOne(row -> true, "SELECT 1 FROM sqlite_master WHERE name = 'data_key'")
                .isPresent();
    }

    private static List<String> unreadable(SqlSession reader, TaskRows tasks) throws SQLException {
        var problems = new ArrayList<String>();
        var listing = new TaskListing(tasks.seal(), SqliteTaskStore.OF_LIVE);
        TaskId next = null;
        do {
            var page = listing.page(reader, TaskFilter.ALL, next, PAGE);
            for (var id : page.ids()) {
                read(reader, tasks, id, problems);
            }
            next = page.next();
        } while (next != null && problems.size() < TOLD);
        return problems;
    }

    private static void read(SqlSession reader, TaskRows tasks, TaskId id, List<String> problems) throws SQLException {
        try {
            var task = tasks.find(reader, id);
            if (task.isPresent()) {
                long after = 0;
                var events = tasks.history(reader, task.get(), after, PAGE);
                while (!events.isEmpty()) {
                    after = events.getLast().seq();
                    events = tasks.history(reader, task.get(), after, PAGE);
                }
            }
        } catch (StoreException e) {
            problems.add("task " + id + ": " + e.getMessage());
        }
    }

    private static Path existing(Path file) {
        if (!Files.isRegularFile(file)) {
            // In a folder that this user may not enter, a file cannot be told from none.
            var problem = Files.notExists(file) ? "there is no such file" : "it is no file that this user can read";
            throw new StoreException("task store " + file + ": " + problem);
        }
        return DataFile.resolve(file);
    }
}
