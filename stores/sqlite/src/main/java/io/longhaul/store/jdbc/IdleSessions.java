// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.store.jdbc.sql.Closing;
import io.longhaul.store.jdbc.sql.SessionSource;
import io.longhaul.store.jdbc.sql.SqlSession;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/** A pool of sessions that read a data file; a session stays open for the next transaction. Thread-safe. */
final class IdleSessions implements SessionSource {

    private final Path file;
    private final OpenFile.Opener opener;
    private final Deque<SqlSession> idle = new ConcurrentLinkedDeque<>();

    IdleSessions(Path file, OpenFile.Opener opener) {
        this.file = file;
        this.opener = opener;
    }

    @Override
    public SqlSession take() throws SQLException {
        var session = idle.pollFirst();
        return session == null ? opener.open(file) : session;
    }

    @Override
    public void giveBack(SqlSession session) {
        idle.addFirst(session);
    }

    @Override
    public void close() {
        idle.forEach(session -> Closing.quietly(session, "A reader of task store " + file));
        idle.clear();
    }
}
