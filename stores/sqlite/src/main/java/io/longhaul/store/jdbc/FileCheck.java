// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.engine.store.StoreException;
import io.longhaul.store.jdbc.sql.Closing;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks a whole data file once for damaged pages, on a thread of its own, concurrently with all other reads. */
final class FileCheck implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FileCheck.class);
    private static final Duration BETWEEN_INTERRUPTS = Duration.ofMillis(20);

    private final Path file;
    private final Consumer<StoreException> damaged;
    private final Thread thread;
    private @Nullable SqliteSession session;
    private volatile boolean closing;

    /** {@code damaged} gets a description of the damage, where there is any. */
    FileCheck(Path file, SqliteSession session, Consumer<StoreException> damaged) {
        this.file = file;
        this.session = session;
        this.damaged = damaged;
        thread = Thread.ofPlatform().name("longhaul-store-check").daemon().start(() -> check(session));
    }

    /** The problems of the file; empty for none. The connection must not have read from the file before. */
    static List<String> problems(SqliteSession reader) throws SQLException {
        var found = reader.query(row -> row.getString(1), "PRAGMA quick_check(1)");
        return found.equals(List.of("ok")) ? List.of() : found;
    }

    /**
     * Like {@link #problems}, with problems that take longer to find, such as rows that are missing in an index;
     * {@code most} at most.
     */
    static List<String> allProblems(SqliteSession reader, int most) throws SQLException {
        var found = reader.query(row -> row.getString(1), "PRAGMA integrity_check(" + most + ")");
        return found.equals(List.of("ok")) ? List.of() : found;
    }

    private void check(SqliteSession reader) {
        try {
            var found = problems(reader);
            if (!found.isEmpty()) {
                damaged.accept(new StoreException("task store " + file + ": it is damaged, and takes no more writes:"
                        + " restore it from a backup (" + String.join("; ", found) + ")"));
            }
        } catch (SQLException e) {
            if (SqliteFailures.isFatal(e)) {
                damaged.accept(SqliteFailures.of(file, e));
            } else if (!closing) {
                LOG.warn("Task store {} could not be checked for damage", file, e);
            }
        } catch (Throwable e) {
            LOG.warn("Task store {} could not be checked for damage", file, e);
        } finally {
            end(reader);
        }
    }

    private synchronized void end(SqliteSession reader) {
        session = null;
        Closing.quietly(reader, "The check of task store " + file);
    }

    private synchronized void interrupt() {
        if (session != null) {
            session.interrupt();
        }
    }

    /** Blocks until the check has ended. */
    void await() throws InterruptedException {
        thread.join();
    }

    /** Aborts the check. */
    @Override
    public void close() {
        closing = true;
        var interrupted = false;
        while (thread.isAlive()) {
            // Repeated, because an interrupt before a statement runs does nothing.
            interrupt();
            try {
                thread.join(BETWEEN_INTERRUPTS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
