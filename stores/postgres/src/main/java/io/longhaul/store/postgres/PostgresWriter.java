// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.engine.store.CommitResult;
import io.longhaul.store.jdbc.sql.ChangeRows;
import io.longhaul.store.jdbc.sql.SqlSession;
import io.longhaul.store.jdbc.sql.WriteQueue;
import java.sql.SQLException;
import java.util.function.Supplier;

/** Takes part in every transaction that writes: renews the lease, and at last writes all changes together. */
record PostgresWriter(PooledSessions sessions, Leases leases, CommitBatch batch) implements WriteQueue.Companion {

    /** Adds a change to the open transaction. */
    Supplier<CommitResult> commit(ChangeRows rows) {
        return batch.add(rows);
    }

    @Override
    public SqlSession take() throws SQLException {
        return sessions.take();
    }

    @Override
    public void giveBack(SqlSession session) throws SQLException {
        sessions.giveBack(session);
    }

    @Override
    public void begin(SqlSession session) throws SQLException {
        session.begin();
        leases.renew(session);
    }

    @Override
    public void complete(SqlSession session) throws SQLException {
        batch.write(session);
    }

    @Override
    public void rolledBack() {
        batch.clear();
    }
}
