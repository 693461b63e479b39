// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import java.sql.SQLException;

/** Provides sessions for one transaction each. */
public interface SessionSource {

    /** Takes a session without an open transaction. */
    SqlSession take() throws SQLException;

    /** Gives a session back, without an open transaction. */
    void giveBack(SqlSession session) throws SQLException;

    /** Runs a read of one statement, which sees a consistent snapshot without a transaction. */
    default <T> T single(ReadPool.Read<T> read) throws SQLException {
        var session = take();
        try {
            var value = read.run(session);
            giveBack(session);
            return value;
        } catch (Throwable e) {
            session.close();
            throw e;
        }
    }

    /** Releases the idle sessions; called when no more sessions are taken. */
    default void close() {}
}
