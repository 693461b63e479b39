// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc;

import io.longhaul.store.jdbc.sql.SessionSource;
import io.longhaul.store.jdbc.sql.SqlSession;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A pool of sessions that read a data file; a session stays open for the next transaction. Thread-safe. */
final class IdleSessions implements SessionSource {

    private static final Logger LOG = LoggerFactory.getLogger(IdleSessions.class);

    private final Path file;
    private final OpenFile.Opener opener;
    private final Deque<SqlSession> idle = new ArrayDeque<>();

    IdleSessions(Path file, OpenFile.Opener opener) {
        this.file = file;
        this.opener = opener;
    }

    @Override
    public SqlSession take() throws SQLException {
        synchronized (idle) {
            var session = idle.pollFirst();
            if (session != null) {
                return session;
            }
        }
        return opener.open(file);
    }

    @Override
    public void giveBack(SqlSession session) {
        synchronized (idle) {
            idle.addFirst(session);
        }
    }

    @Override
    public void close() {
        synchronized (idle) {
            for (var session : idle) {
                try {
                    session.close();
                } catch (SQLException e) {
                    LOG.debug("A reader of task store {} did not close", file, e);
                }
            }
            idle.clear();
        }
    }
}
