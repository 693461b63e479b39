// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.postgres;

import io.longhaul.engine.store.CommitResult;
import io.longhaul.store.jdbc.sql.ChangeRows;
import io.longhaul.store.jdbc.sql.SqlSession;
import io.longhaul.store.jdbc.sql.WriteQueue;
import java.sql.SQLException;
import java.util.function.Supplier;

/** What goes with every transaction that writes: the renewal of the lease, then all changes together. */
record PostgresWriter(PooledSessions sessions, Leases leases, CommitBatch batch) implements WriteQueue.Companion {

    /** Has a change written with the transaction that is open. */
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
    public void complete(SqlSession session) throws SQLException {
        leases.renew(session);
        batch.write(session);
    }

    @Override
    public void committing() {
        // What is written is the database's concern.
    }

    @Override
    public void committed() {
        // The database has said so.
    }

    @Override
    public void rolledBack() {
        batch.clear();
    }

    @Override
    public void end(boolean isSound) {
        sessions.close();
    }
}
